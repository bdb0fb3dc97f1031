//! Which era of MCP a server speaks, and how that is found out.
//!
//! Up to 2025-11-25 a session begins with a handshake; since 2026-07-28 there is none, and a client asks what the server
//! offers. Many servers know one way only, and some end or fall silent when they are asked the other way. So the first
//! session of a connection asks the newer way under a short deadline, and begins anew, with a new process, the older way
//! when that comes to nothing. What was found out is kept for the sessions that follow.

use std::sync::{Arc, Mutex, PoisonError};

use rmcp::{model::ProtocolVersion, service::ClientLifecycleMode};

/// The two kinds of protocol that MCP has had.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Era {
    /// Up to 2025-11-25: with a handshake and `ping`.
    Legacy,
    /// From 2026-07-28 on: every request stands alone, and there is no `ping`.
    Stateless,
}

/// Which era a connection may speak.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum EraPolicy {
    /// Whichever the server speaks; it is asked.
    #[default]
    Auto,
    /// Sessions that begin with a handshake: the revisions up to 2025-11-25.
    Legacy,
    /// No sessions, every request for itself: 2026-07-28.
    Stateless,
}

/// One way to begin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Opening {
    /// Ask the newer way, and shake hands on the same connection if the server answers that it doesn't understand.
    Probe,
    /// Shake hands.
    Handshake,
    /// Ask the newer way alone.
    Discovery,
}

impl Opening {
    pub(super) fn lifecycle(self) -> ClientLifecycleMode {
        let preferred_versions = vec![ProtocolVersion::V_2026_07_28];
        match self {
            Self::Probe => ClientLifecycleMode::Auto {
                preferred_versions,
                legacy_version: Some(ProtocolVersion::V_2025_11_25),
            },
            Self::Handshake => ClientLifecycleMode::Initialize,
            Self::Discovery => ClientLifecycleMode::Discover { preferred_versions },
        }
    }
}

/// What is known of one connection's server. Clones share it.
#[derive(Clone, Debug, Default)]
pub(super) struct EraMemory(Arc<Mutex<Option<Era>>>);

impl EraMemory {
    /// The ways to begin, in the order in which to try them.
    pub(super) fn openings(&self, policy: EraPolicy) -> &'static [Opening] {
        let known = match policy {
            EraPolicy::Auto => *self.0.lock().unwrap_or_else(PoisonError::into_inner),
            EraPolicy::Legacy => Some(Era::Legacy),
            EraPolicy::Stateless => Some(Era::Stateless),
        };
        match known {
            None => &[Opening::Probe, Opening::Handshake],
            Some(Era::Legacy) => &[Opening::Handshake],
            Some(Era::Stateless) => &[Opening::Discovery],
        }
    }

    pub(super) fn learn(&self, era: Era) {
        self.set(Some(era));
    }

    /// After a failure, because the server may be another one by now.
    pub(super) fn forget(&self) {
        self.set(None);
    }

    fn set(&self, era: Option<Era>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = era;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_found_out_is_kept_until_it_fails_and_a_policy_overrides_it() {
        let memory = EraMemory::default();
        assert_eq!(memory.openings(EraPolicy::Auto), [Opening::Probe, Opening::Handshake]);

        memory.clone().learn(Era::Stateless);
        assert_eq!(memory.openings(EraPolicy::Auto), [Opening::Discovery]);
        assert_eq!(memory.openings(EraPolicy::Legacy), [Opening::Handshake]);

        memory.forget();
        assert_eq!(memory.openings(EraPolicy::Auto), [Opening::Probe, Opening::Handshake]);
        assert_eq!(memory.openings(EraPolicy::Stateless), [Opening::Discovery]);
    }
}
