//! The standard descriptors of a command, and what redirections do to them.

use crate::place::{Input, Output};
use crate::syntax::{Descriptor, Redirection, RedirectionOperator};

/// The standard descriptors of a shell.
#[derive(Clone, Copy, Default)]
pub(crate) struct Streams {
    pub input: Input,
    pub output: Output,
    pub errors: Output,
}

/// What a redirection does to the standard descriptors.
pub(crate) fn apply(redirection: &Redirection, text: &str, streams: &mut Streams) {
    use RedirectionOperator as Op;
    let number = |default| match redirection.descriptor {
        Descriptor::Default => Some(default),
        Descriptor::Number(number) => Some(number),
        Descriptor::Variable(_) => None,
    };
    match redirection.operator {
        Op::OutputAndError | Op::AppendOutputAndError => {
            streams.output = Output::File;
            streams.errors = Output::File;
        }
        Op::Output | Op::Append | Op::Clobber => {
            set(streams, number(1), Output::File, Input::Other)
        }
        Op::Input | Op::ReadWrite => set(streams, number(0), Output::File, Input::File),
        Op::HereDocument | Op::HereDocumentTabs | Op::HereString => {
            set(streams, number(0), Output::Other, Input::Text);
        }
        Op::DuplicateInput | Op::DuplicateOutput => duplicate(redirection, text, streams, number),
    }
}

fn duplicate(
    redirection: &Redirection,
    text: &str,
    streams: &mut Streams,
    number: impl Fn(u32) -> Option<u32>,
) {
    let is_output = redirection.operator == RedirectionOperator::DuplicateOutput;
    let target = redirection.target.static_text(text);
    let target = target.as_deref().unwrap_or("");
    let source = target.strip_suffix('-').unwrap_or(target);
    let output = match source {
        "" if target == "-" => Output::Closed,
        "1" => streams.output,
        "2" => streams.errors,
        _ => Output::Other,
    };
    let input = if source == "0" {
        streams.input
    } else {
        Input::Other
    };
    let is_descriptor = source.bytes().all(|byte| byte.is_ascii_digit());
    if is_output && !is_descriptor && redirection.descriptor == Descriptor::Default {
        streams.output = Output::File;
        streams.errors = Output::File;
        return;
    }
    set(streams, number(u32::from(is_output)), output, input);
}

fn set(streams: &mut Streams, descriptor: Option<u32>, output: Output, input: Input) {
    match descriptor {
        Some(0) => streams.input = input,
        Some(1) => streams.output = output,
        Some(2) => streams.errors = output,
        _ => {}
    }
}
