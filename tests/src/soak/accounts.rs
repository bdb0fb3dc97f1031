//! What callers were told against what the servers did.

use super::{
    ledger::Reading,
    line::Server,
    register::Issued,
    told::{Told, Word},
};

/// Everything that doesn't agree.
pub(super) fn faults(calls: &[Issued], ledger: &Reading) -> Vec<String> {
    let each = calls.iter().enumerate().filter_map(|(token, call)| {
        let token = token as u64;
        let wrong = fault(call, ledger.times(token))?;
        let Issued { line, tool, told } = call;
        let (tool, id) = (tool.name(), line.id);
        Some(format!("call {token}, {tool} over {id}, was told {told:?}: {wrong}"))
    });
    let strange =
        ledger.done().filter(|(token, _)| *token >= calls.len() as u64).map(|(token, times)| {
            format!("call {token} was carried out {times} times, and nobody made it")
        });
    let torn = ledger.torn.iter().map(|line| format!("the ledger has the line {line:?}"));
    each.chain(strange).chain(torn).collect()
}

fn fault(call: &Issued, times: u32) -> Option<String> {
    let Issued { line, tool, told } = call;
    let Some(told) = *told else { return Some("it has no answer".to_owned()) };
    let is_possible = match line.server {
        Server::Absent => matches!(told, Told::Refused | Told::GivenUp | Told::NeverMade),
        Server::Broken => matches!(told, Told::NotSent | Told::GivenUp | Told::NeverMade),
        _ => !matches!(
            told,
            Told::Refused | Told::ToolError(Word::Foreign) | Told::Rejected(Word::Foreign)
        ),
    };
    if !is_possible {
        return Some("nobody can have said so".to_owned());
    }
    let allowed = told.executions(line.most_executions(*tool));
    (!allowed.contains(&times)).then(|| {
        format!("it was carried out {times} times, not {} to {}", allowed.start(), allowed.end())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::soak::line::{LINES, Line, Tool};

    fn line(id: &str) -> &'static Line {
        LINES.iter().find(|line| line.id == id).unwrap()
    }

    fn count(id: &str, tool: Tool, told: Option<Told>, times: usize) -> usize {
        let ledger = Reading::of(&"done 0\n".repeat(times));
        faults(&[Issued { line: line(id), tool, told }], &ledger).len()
    }

    #[test]
    fn what_was_told_fits_what_was_done() {
        for (told, times) in [
            (Told::Ok, 1),
            (Told::NotSent, 0),
            (Told::Unknown, 0),
            (Told::Unknown, 1),
            (Told::GivenUp, 1),
            (Told::Rejected(Word::Done), 1),
            (Told::Rejected(Word::Undone), 0),
            (Told::ToolError(Word::Undone), 0),
        ] {
            assert_eq!(count("readers", Tool::Add, Some(told), times), 0, "{told:?} {times}");
        }
    }

    #[test]
    fn a_call_without_an_answer_is_noticed() {
        assert_eq!(count("readers", Tool::Add, None, 1), 1);
    }

    #[test]
    fn an_answer_that_is_not_true_is_noticed() {
        for (told, times) in [
            (Told::Ok, 0),
            (Told::NotSent, 1),
            (Told::NeverMade, 1),
            (Told::Rejected(Word::Done), 0),
            (Told::Rejected(Word::Undone), 1),
            (Told::ToolError(Word::Done), 0),
            (Told::ToolError(Word::Undone), 1),
        ] {
            assert_eq!(count("web", Tool::Add, Some(told), times), 1, "{told:?} {times}");
        }
    }

    #[test]
    fn a_call_that_is_carried_out_twice_is_noticed_unless_it_may_be() {
        for told in [Told::Ok, Told::Unknown, Told::GivenUp] {
            assert_eq!(count("readers", Tool::Add, Some(told), 2), 1, "{told:?}");
            assert_eq!(count("serial", Tool::Look, Some(told), 2), 1, "{told:?}");
            assert_eq!(count("readers", Tool::Put, Some(told), 2), 0, "{told:?}");
            assert_eq!(count("always", Tool::Add, Some(told), 2), 0, "{told:?}");
            assert_eq!(count("always", Tool::Add, Some(told), 3), 1, "{told:?}");
        }
    }

    #[test]
    fn an_answer_from_nowhere_is_noticed() {
        assert_eq!(count("absent", Tool::Add, Some(Told::NotSent), 0), 1);
        assert_eq!(count("broken", Tool::Add, Some(Told::Unknown), 0), 1);
        assert_eq!(count("web", Tool::Add, Some(Told::Rejected(Word::Foreign)), 0), 1);
    }

    #[test]
    fn what_nobody_asked_for_and_what_nobody_can_read_is_noticed() {
        assert_eq!(faults(&[], &Reading::of("done 7\ndo")).len(), 2);
    }
}
