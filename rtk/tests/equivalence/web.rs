//! A web server on loopback that knows a JSON document, a text and nothing else.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};

pub struct Server {
    port: u16,
}

impl Server {
    /// Starts it; it ends with the test.
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener
            .local_addr()
            .expect("the listener has an address")
            .port();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                std::thread::spawn(move || answer(stream));
            }
        });
        Self { port }
    }

    pub fn port(&self) -> u16 {
        self.port
    }
}

fn answer(stream: TcpStream) {
    let mut reader = BufReader::new(&stream);
    let mut first = String::new();
    let _ = reader.read_line(&mut first);
    let mut line = String::new();
    while reader.read_line(&mut line).is_ok_and(|length| length > 2) {
        line.clear();
    }
    let (status, kind, body) = match first.split(' ').nth(1).unwrap_or("/") {
        "/a.json" => (
            "200 OK",
            "application/json",
            r#"{"a":1,"b":[1,2,3],"c":"text"}"#.to_owned(),
        ),
        "/a.txt" => ("200 OK", "text/plain", "one\ntwo\n".repeat(200)),
        _ => ("404 Not Found", "text/plain", "nothing here\n".to_owned()),
    };
    let body = if first.starts_with("HEAD") {
        String::new()
    } else {
        body
    };
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    let _ = (&stream)
        .write_all(head.as_bytes())
        .and_then(|()| (&stream).write_all(body.as_bytes()));
}
