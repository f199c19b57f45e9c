//! A list that keeps the last few distinct items.

use serde::{Deserialize, Deserializer, Serialize};

/// The last `N` distinct items, oldest first. It keeps a state file small however long a conversation goes on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Recent<T, const N: usize>(Vec<T>);

impl<T: PartialEq, const N: usize> Recent<T, N> {
    /// An empty list.
    #[must_use]
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Adds `item` as the newest. An equal one that is there already moves; the oldest leaves when there are more than `N`.
    pub fn push(&mut self, item: T) {
        self.0.retain(|there| *there != item);
        self.0.push(item);
        let excess = self.0.len().saturating_sub(N);
        self.0.drain(..excess);
    }

    /// The items, oldest first.
    #[must_use]
    pub fn as_slice(&self) -> &[T] {
        &self.0
    }
}

impl<T: PartialEq, const N: usize> Default for Recent<T, N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: PartialEq, const N: usize> FromIterator<T> for Recent<T, N> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut list = Self::new();
        items.into_iter().for_each(|item| list.push(item));
        list
    }
}

impl<'de, T: PartialEq + Deserialize<'de>, const N: usize> Deserialize<'de> for Recent<T, N> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Vec::deserialize(from).map(|items| items.into_iter().collect())
    }
}
