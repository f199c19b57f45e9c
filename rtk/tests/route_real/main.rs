//! Every printed command is run by bash with the real rtk, on names and patterns that shells and globs trip over, and
//! must find exactly what an independent walk of the same tree finds.

mod find;
mod quoting;
mod read;
mod reference;
mod search;
mod support;
