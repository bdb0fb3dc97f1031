//! What is kept: answers by call, the oldest of which go when there is no room.

use std::collections::{BTreeMap, VecDeque};

use callgate_guest::{Body, Content, ToolCallResult};

/// One call, in canonical form.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Key {
    pub(crate) connection: String,
    pub(crate) tool: String,
    pub(crate) arguments: String,
}

pub(crate) struct Store {
    max_entries: usize,
    max_bytes: usize,
    entries: BTreeMap<Key, Entry>,
    /// The keys of the entries, the oldest first.
    ages: VecDeque<Key>,
    bytes: usize,
    /// By connection, how often a change began or ended.
    changes: BTreeMap<String, u64>,
}

struct Entry {
    answer: ToolCallResult,
    bytes: usize,
}

impl Store {
    pub(crate) fn new(max_entries: usize, max_bytes: usize) -> Self {
        Self {
            max_entries,
            max_bytes,
            entries: BTreeMap::new(),
            ages: VecDeque::new(),
            bytes: 0,
            changes: BTreeMap::new(),
        }
    }

    pub(crate) fn get(&self, key: &Key) -> Option<ToolCallResult> {
        self.entries.get(key).map(|entry| entry.answer.clone())
    }

    /// Keeps an answer if it can fit at all, and drops the oldest until it does.
    pub(crate) fn keep(&mut self, key: Key, answer: &ToolCallResult) {
        let bytes =
            2 * (key.connection.len() + key.tool.len() + key.arguments.len()) + bytes_of(answer);
        if bytes > self.max_bytes || self.entries.contains_key(&key) {
            return;
        }
        while self.entries.len() >= self.max_entries || self.bytes + bytes > self.max_bytes {
            let Some(oldest) = self.ages.pop_front() else { return };
            self.forget(&oldest);
        }
        self.bytes += bytes;
        self.ages.push_back(key.clone());
        self.entries.insert(key, Entry { answer: answer.clone(), bytes });
    }

    /// Notes that something of a connection may change, or may have changed, and empties what is kept of it.
    pub(crate) fn change(&mut self, connection: &str) {
        *self.changes.entry(connection.to_owned()).or_default() += 1;
        let (gone, kept): (VecDeque<Key>, VecDeque<Key>) = std::mem::take(&mut self.ages)
            .into_iter()
            .partition(|key| key.connection == connection);
        self.ages = kept;
        gone.iter().for_each(|key| self.forget(key));
    }

    pub(crate) fn changes(&self, connection: &str) -> u64 {
        self.changes.get(connection).copied().unwrap_or_default()
    }

    fn forget(&mut self, key: &Key) {
        if let Some(entry) = self.entries.remove(key) {
            self.bytes -= entry.bytes;
        }
    }
}

fn bytes_of(answer: &ToolCallResult) -> usize {
    let blocks = answer.content.iter().map(|block| {
        let bytes = match block {
            Content::Text(text) | Content::Other(text) => text.len(),
            Content::Image(media) | Content::Audio(media) => media.data.len(),
            Content::ResourceLink(link) => link.uri.len() + link.name.len(),
            Content::Resource(embedded) => match &embedded.body {
                Body::Text(text) => text.len(),
                Body::Blob(bytes) => bytes.len(),
            },
        };
        bytes + size_of::<Content>()
    });
    blocks.sum::<usize>()
        + answer.output.len()
        + answer.meta.as_ref().map_or(0, String::len)
        + size_of::<Entry>()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(arguments: &str) -> Key {
        Key { connection: "a".into(), tool: "b".into(), arguments: arguments.into() }
    }

    fn answer(bytes: usize) -> ToolCallResult {
        ToolCallResult::from_output(&"x".repeat(bytes)).unwrap()
    }

    #[test]
    fn the_oldest_goes_when_there_is_no_room() {
        let mut store = Store::new(2, usize::MAX);

        for name in ["1", "2", "3"] {
            store.keep(key(name), &answer(1));
        }

        assert!(store.get(&key("1")).is_none());
        assert!(store.get(&key("2")).is_some() && store.get(&key("3")).is_some());
    }

    #[test]
    fn what_is_kept_stays_below_its_bytes() {
        let mut store = Store::new(usize::MAX, 10_000);

        for number in 0..50 {
            store.keep(key(&number.to_string()), &answer(1000));
            assert!(store.bytes <= 10_000);
        }
        store.keep(key("huge"), &answer(10_000));

        assert!(store.get(&key("49")).is_some() && store.get(&key("huge")).is_none());
        assert!(store.entries.len() > 5 && store.entries.len() == store.ages.len());
        store.change("a");
        assert_eq!((store.bytes, store.entries.len(), store.ages.len()), (0, 0, 0));
    }
}
