//! The ledger of a conversation: its file, its lock, no policy.
