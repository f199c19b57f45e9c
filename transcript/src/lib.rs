//! A conversation's transcript, read bounded and without trust in its text.
