//! Whether a line does nothing but wait.

/// How a line waits that does nothing else.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wait {
    /// The seconds of all its sleeps together, one round of each loop; `None` where the line does not tell.
    pub seconds: Option<f64>,
    /// Whether it sleeps in a loop whose end the line does not tell.
    pub repeats: bool,
    /// Whether it also reads or lists files: they stand among the accesses.
    pub reads: bool,
    /// Whether it also asks for a state: `[ -f x ]`, `ps`, `kill -0`, or any condition of a loop that sleeps.
    pub probes: bool,
}

/// What the commands of a line did about waiting so far.
#[derive(Clone, Copy, Default)]
pub(super) struct Waiting {
    sleeps: usize,
    seconds: f64,
    unknown: bool,
    repeats: bool,
    reads: bool,
    probes: bool,
    works: bool,
    /// Whether the condition of a loop asks a service.
    asks_service: bool,
    in_background: bool,
    /// The seconds of sleeps in the background, on which only `wait` waits.
    background: Option<f64>,
    rounds: usize,
}

/// What an ordinary command did.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Activity {
    Nothing,
    Probe,
    Read,
    Work,
}

impl Waiting {
    /// A sleep; `None` where its length is not known.
    pub fn sleep(&mut self, seconds: Option<f64>) {
        let rounds = self.rounds.max(1) as f64;
        if self.in_background {
            self.background = Some(
                self.background
                    .unwrap_or(0.0)
                    .max(seconds.unwrap_or(0.0) * rounds),
            );
            return;
        }
        self.sleeps += 1;
        match seconds {
            Some(seconds) => self.seconds += seconds * rounds,
            None => self.unknown = true,
        }
    }

    /// `wait`: for what sleeps in the background.
    pub fn wait(&mut self) {
        if let Some(seconds) = self.background.take() {
            self.sleep(Some(seconds));
        }
    }

    pub fn probe(&mut self) {
        self.probes = true;
    }

    /// A look at a service over the network. It may be up long before the command that serves it ends, so nobody wakes who
    /// waits for it.
    pub fn note_service(&mut self) {
        self.asks_service = true;
    }

    pub fn note(&mut self, activity: Activity) {
        match activity {
            Activity::Nothing => {}
            Activity::Probe => self.probes = true,
            Activity::Read => self.reads = true,
            Activity::Work => self.works = true,
        }
    }

    pub fn enter_background(&mut self) -> bool {
        std::mem::replace(&mut self.in_background, true)
    }

    pub fn leave_background(&mut self, was: bool) {
        self.in_background = was;
    }

    /// A loop of so many rounds; `None` where the line does not tell. Returns what [`Waiting::leave_loop`] needs.
    pub fn enter_loop(&mut self, rounds: Option<usize>) -> (usize, usize, bool) {
        let before = (self.sleeps, self.rounds, rounds.is_none());
        self.rounds = self.rounds.max(1) * rounds.unwrap_or(1).clamp(1, 1_000_000);
        before
    }

    /// Before the condition of a loop. Returns what [`Waiting::end_condition`] needs.
    pub fn begin_condition(&mut self) -> bool {
        self.asks_service = false;
        std::mem::take(&mut self.works)
    }

    /// After the condition of a loop, which `changes` something or not; what it does besides is not judged yet.
    pub fn end_condition(&mut self, worked: bool, changes: bool) -> bool {
        let condition = std::mem::replace(&mut self.works, worked);
        let works = changes || std::mem::take(&mut self.asks_service);
        self.works |= condition && works;
        condition && !works
    }

    /// After the body of a loop: a condition between sleeps only asks (`until cargo check`).
    pub fn judge_condition(&mut self, works: bool, (sleeps, _, _): (usize, usize, bool)) {
        if self.sleeps > sleeps {
            self.probes |= works;
        } else {
            self.works |= works;
        }
    }

    pub fn leave_loop(&mut self, (sleeps, rounds, open): (usize, usize, bool)) {
        self.rounds = rounds;
        self.repeats |= open && self.sleeps > sleeps;
    }

    pub fn result(&self) -> Option<Wait> {
        (self.sleeps > 0 && !self.works).then_some(Wait {
            seconds: (!self.unknown).then_some(self.seconds),
            repeats: self.repeats,
            reads: self.reads,
            probes: self.probes,
        })
    }
}

/// The seconds of a word for `sleep`: a number with `s`, `m`, `h` or `d`.
pub(super) fn seconds(word: &str) -> Option<f64> {
    let (number, unit) = match word.char_indices().next_back()? {
        (at, 's') => (&word[..at], 1.0),
        (at, 'm') => (&word[..at], 60.0),
        (at, 'h') => (&word[..at], 3_600.0),
        (at, 'd') => (&word[..at], 86_400.0),
        _ => (word, 1.0),
    };
    if !number
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'.')
    {
        return None;
    }
    number.parse::<f64>().ok().map(|number| number * unit)
}
