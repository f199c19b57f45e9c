//! What a command line does: its words with their byte spans, and from them its effects.
