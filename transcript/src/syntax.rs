//! JSON syntax, checked byte by byte in pieces: no tree, no allocation, a fixed size whatever the text.

/// Nesting that is followed; a text nested deeper counts as malformed (the same limit as serde_json's).
pub(crate) const MAX_DEPTH: u8 = 127;

/// What the checker says of the text as it goes on. Slices are raw: escapes are left as they are.
pub(crate) trait Events {
    /// A key of the outermost object begins.
    fn key(&mut self);
    /// The outermost object's value for the last key begins.
    fn value(&mut self, kind: Kind);
    /// More bytes of the key, or of a string or number that is a value of the outermost object. `false`: no more of it, please.
    fn bytes(&mut self, raw: &[u8]) -> bool;
    /// The key's end; `false` makes the text malformed.
    fn key_end(&mut self) -> bool;
}

/// The kind of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    String,
    Number,
    Other,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Before the outermost object.
    Start,
    Value,
    /// After `[`: a value or `]`.
    ValueOrEnd,
    /// After `{`: a key or `}`.
    KeyOrEnd,
    /// After a comma in an object.
    Key,
    Colon,
    /// After a value: a comma or the container's end.
    After,
    Text,
    Escape,
    /// Hexadecimal digits of a `\u` that are still to come.
    Hex(u8),
    Number(Number),
    /// What is still to come of `true`, `false` or `null`.
    Literal(&'static [u8]),
    /// After the outermost object: only blanks may come.
    Complete,
    Malformed,
}

/// Where in a number: each state is named by what was read last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Number {
    Minus,
    Zero,
    Digits,
    Point,
    Fraction,
    E,
    Sign,
    Exponent,
}

/// Bytes at the start of `text` that mean only themselves in a string.
fn plain_length(text: &[u8]) -> usize {
    let special = |byte: u8| byte < 0x20 || byte == b'"' || byte == b'\\';
    let mut at = 0;
    // Sixteen at a time without an early exit, which compiles to vector code.
    while let Some(block) = text[at..].first_chunk::<16>()
        && !block.iter().fold(false, |any, byte| any | special(*byte))
    {
        at += 16;
    }
    let rest = text[at..].iter().position(|byte| special(*byte));
    rest.map_or(text.len(), |length| at + length)
}

fn is_simple_escape(byte: u8) -> bool {
    matches!(byte, b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't')
}

/// Checks that a text is one JSON object.
#[derive(Debug)]
pub(crate) struct Syntax {
    state: State,
    depth: u8,
    /// One bit a level, set for an object.
    objects: u128,
    in_key: bool,
    /// Whether the string or number being read is told to `Events`.
    told: bool,
}

impl Syntax {
    pub(crate) fn new() -> Self {
        Self {
            state: State::Start,
            depth: 0,
            objects: 0,
            in_key: false,
            told: false,
        }
    }

    /// Whether all that was pushed so far is one whole object.
    pub(crate) fn is_complete(&self) -> bool {
        self.state == State::Complete
    }

    /// Goes on with `bytes`; returns whether the text can still become well-formed.
    pub(crate) fn push(&mut self, bytes: &[u8], events: &mut impl Events) -> bool {
        let mut at = 0;
        while at < bytes.len() {
            if self.state == State::Text {
                at += self.text(&bytes[at..], events);
            } else {
                at += usize::from(self.byte(bytes[at], events));
            }
            if self.state == State::Malformed {
                return false;
            }
        }
        true
    }

    /// The inside of a string up to its end, the piece's end or an escape that is not two plain bytes; returns the bytes used.
    fn text(&mut self, bytes: &[u8], events: &mut impl Events) -> usize {
        let mut at = 0;
        loop {
            at += plain_length(&bytes[at..]);
            match bytes[at..] {
                [b'\\', next, ..] if is_simple_escape(next) => at += 2,
                _ => break,
            }
        }
        let told_to = at + usize::from(bytes.get(at) == Some(&b'\\'));
        if self.told {
            self.told = events.bytes(&bytes[..told_to]);
        }
        match bytes.get(at) {
            None => return at,
            Some(b'"') => self.text_end(events),
            Some(b'\\') => self.state = State::Escape,
            Some(_) => self.state = State::Malformed,
        }
        at + 1
    }

    fn text_end(&mut self, events: &mut impl Events) {
        self.state = if !self.in_key {
            State::After
        } else if self.depth == 1 && !events.key_end() {
            State::Malformed
        } else {
            State::Colon
        };
        (self.in_key, self.told) = (false, false);
    }

    fn tell(&mut self, byte: u8, events: &mut impl Events) {
        if self.told {
            self.told = events.bytes(&[byte]);
        }
    }

    /// One byte outside of plain text; returns whether it was used up.
    fn byte(&mut self, byte: u8, events: &mut impl Events) -> bool {
        match self.state {
            State::Escape => {
                self.tell(byte, events);
                self.state = match byte {
                    b'u' => State::Hex(4),
                    _ if is_simple_escape(byte) => State::Text,
                    _ => State::Malformed,
                };
            }
            State::Hex(left) => {
                self.tell(byte, events);
                self.state = match (byte.is_ascii_hexdigit(), left) {
                    (false, _) => State::Malformed,
                    (true, 1) => State::Text,
                    (true, _) => State::Hex(left - 1),
                };
            }
            State::Number(place) => return self.number(place, byte, events),
            State::Literal(rest) => {
                self.state = match rest {
                    [only] if *only == byte => State::After,
                    [first, rest @ ..] if *first == byte => State::Literal(rest),
                    _ => State::Malformed,
                };
            }
            _ if matches!(byte, b' ' | b'\t' | b'\r' | b'\n') => {}
            _ => self.structure(byte, events),
        }
        true
    }

    fn structure(&mut self, byte: u8, events: &mut impl Events) {
        match (self.state, byte) {
            (State::Start, b'{') => self.open(true),
            (State::Key | State::KeyOrEnd, b'"') => {
                self.in_key = true;
                self.told = self.depth == 1;
                self.state = State::Text;
                if self.told {
                    events.key();
                }
            }
            (State::KeyOrEnd, b'}') => self.close(true),
            (State::Colon, b':') => self.state = State::Value,
            (State::After, b',') => {
                self.state = if self.in_object() {
                    State::Key
                } else {
                    State::Value
                };
            }
            (State::After, b'}') => self.close(true),
            (State::After | State::ValueOrEnd, b']') => self.close(false),
            (State::Value | State::ValueOrEnd, _) => self.value(byte, events),
            _ => self.state = State::Malformed,
        }
    }

    fn value(&mut self, byte: u8, events: &mut impl Events) {
        let (kind, state) = match byte {
            b'"' => (Kind::String, State::Text),
            b'-' => (Kind::Number, State::Number(Number::Minus)),
            b'0' => (Kind::Number, State::Number(Number::Zero)),
            b'1'..=b'9' => (Kind::Number, State::Number(Number::Digits)),
            b't' => (Kind::Other, State::Literal(b"rue")),
            b'f' => (Kind::Other, State::Literal(b"alse")),
            b'n' => (Kind::Other, State::Literal(b"ull")),
            b'{' | b'[' => (Kind::Other, State::Value),
            _ => (Kind::Other, State::Malformed),
        };
        if self.depth == 1 {
            events.value(kind);
            self.told = kind != Kind::Other;
        }
        match byte {
            b'{' | b'[' => self.open(byte == b'{'),
            _ => self.state = state,
        }
        if kind == Kind::Number {
            self.tell(byte, events);
        }
    }

    /// A byte in or just behind a number; the byte behind it is not used up.
    fn number(&mut self, place: Number, byte: u8, events: &mut impl Events) -> bool {
        use Number as N;
        let next = match (place, byte) {
            (N::Minus, b'0') => N::Zero,
            (N::Minus, b'1'..=b'9') | (N::Digits, b'0'..=b'9') => N::Digits,
            (N::Zero | N::Digits, b'.') => N::Point,
            (N::Point | N::Fraction, b'0'..=b'9') => N::Fraction,
            (N::Zero | N::Digits | N::Fraction, b'e' | b'E') => N::E,
            (N::E, b'+' | b'-') => N::Sign,
            (N::E | N::Sign | N::Exponent, b'0'..=b'9') => N::Exponent,
            (N::Zero | N::Digits | N::Fraction | N::Exponent, _) => {
                self.told = false;
                self.state = State::After;
                return false;
            }
            _ => {
                self.state = State::Malformed;
                return true;
            }
        };
        self.tell(byte, events);
        self.state = State::Number(next);
        true
    }

    fn in_object(&self) -> bool {
        self.objects & 1 == 1
    }

    fn open(&mut self, object: bool) {
        if self.depth == MAX_DEPTH {
            self.state = State::Malformed;
            return;
        }
        self.depth += 1;
        self.objects = self.objects << 1 | u128::from(object);
        self.state = if object {
            State::KeyOrEnd
        } else {
            State::ValueOrEnd
        };
    }

    fn close(&mut self, object: bool) {
        if self.in_object() != object {
            self.state = State::Malformed;
            return;
        }
        self.depth -= 1;
        self.objects >>= 1;
        self.state = if self.depth == 0 {
            State::Complete
        } else {
            State::After
        };
    }
}
