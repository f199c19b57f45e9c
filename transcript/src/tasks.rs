//! Which commands run, followed through the file in the order in which it was written.

use crate::facts::{RunningCommand, TaskState};
use crate::record::Record;
use crate::task::{Launch, TaskId, ended_task, launched_task};
use std::collections::VecDeque;

/// Commands followed at a time; with more, the oldest is forgotten.
const MAX_OPEN: usize = 64;
/// Ends remembered in case the launch is written after them.
const MAX_ENDS: usize = 64;

/// The commands launched and not ended so far.
#[derive(Debug, Default)]
pub(crate) struct Tasks {
    conversation: Option<String>,
    asked: Option<u64>,
    asked_state: TaskState,
    open: VecDeque<RunningCommand>,
    ends: VecDeque<(TaskId, u64)>,
}

impl Tasks {
    pub(crate) fn new(conversation: Option<&str>, asked: Option<u64>) -> Self {
        Self {
            conversation: conversation.map(str::to_owned),
            asked,
            ..Self::default()
        }
    }

    /// Whether a command launched at this step is still open: a later record of that step then matters.
    pub(crate) fn is_open_step(&self, step: u64) -> bool {
        self.open.iter().any(|task| task.step == step)
    }

    pub(crate) fn running(self) -> Vec<RunningCommand> {
        self.open.into()
    }

    pub(crate) fn asked_state(&self) -> TaskState {
        self.asked_state
    }

    pub(crate) fn record(&mut self, record: &Record<'_>) {
        if record.is_kind("RUN_COMMAND") {
            match launched_task(record) {
                Some(launch) => self.launched(launch, record),
                // A step that is written anew without RUNNING runs no more.
                None if !record.is_status("RUNNING") => self.settled(record.step),
                None => {}
            }
        } else if record.is_kind("USER_INPUT") {
            self.ends.retain(|(_, step)| *step < record.step);
        } else if let Some(id) = ended_task(record) {
            self.ended(id, record.step);
        }
    }

    fn is_foreign(&self, id: &TaskId) -> bool {
        matches!((&self.conversation, &id.conversation), (Some(ours), Some(theirs)) if ours != theirs)
    }

    fn launched(&mut self, launch: Launch, record: &Record<'_>) {
        let Launch { id, description } = launch;
        if self.is_foreign(&id) {
            return;
        }
        self.open.retain(|task| !task.id.matches(&id));
        let ended = self.ends.iter().any(|(end, _)| end.matches(&id));
        self.note(&id, ended);
        if ended {
            return;
        }
        if self.open.len() == MAX_OPEN {
            self.open.pop_front();
        }
        self.open.push_back(RunningCommand {
            id,
            step: record.step,
            description,
            created_at: record.created_at.map(|time| time.decoded().into_owned()),
        });
    }

    fn ended(&mut self, id: TaskId, step: u64) {
        if self.is_foreign(&id) {
            return;
        }
        self.open.retain(|task| !task.id.matches(&id));
        self.note(&id, true);
        if self.ends.len() == MAX_ENDS {
            self.ends.pop_front();
        }
        self.ends.push_back((id, step));
    }

    fn settled(&mut self, step: u64) {
        if let Some(at) = self.open.iter().position(|task| task.step == step) {
            let task = self.open.remove(at);
            if let Some(task) = task {
                self.note(&task.id, true);
            }
        }
    }

    fn note(&mut self, id: &TaskId, ended: bool) {
        if self.asked == Some(id.number) {
            self.asked_state = if ended {
                TaskState::Ended
            } else {
                TaskState::Running
            };
        }
    }
}
