//! The delays, on a clock that the test moves.

use super::*;

fn limits() -> RecoveryLimits {
    RecoveryLimits {
        first_delay: Duration::from_millis(100),
        max_delay: Duration::from_secs(1),
        jitter_percent: 0,
        circuit_failures: 3,
        short_life: Duration::from_secs(10),
    }
}

fn never_opened(at: Instant) -> SessionEnd {
    let exit = Exit::NeverOpened("no such program".to_owned());
    SessionEnd { opened_at: None, ended_at: at, exit }
}

fn lived(at: Instant, life: Duration) -> SessionEnd {
    let exit = Exit::ConnectionEnded(Failure::new(Cause::SessionStopped, "it crashed"));
    SessionEnd { opened_at: Some(at), ended_at: at + life, exit }
}

/// How long the pause after this end is, in milliseconds.
fn pause_after(backoff: &mut Backoff, end: &SessionEnd) -> Option<u128> {
    backoff.note(end, &limits());
    let until = backoff.pause(end.ended_at)?.until;
    Some((until - end.ended_at).as_millis())
}

#[test]
fn the_delay_doubles_up_to_its_cap() {
    let (mut backoff, now) = (Backoff::default(), Instant::now());

    let delays: Vec<_> =
        (0..6).map(|_| pause_after(&mut backoff, &never_opened(now)).unwrap()).collect();

    assert_eq!(delays, [100, 200, 400, 800, 1000, 1000]);
    assert_eq!(delay(u32::MAX, &limits(), 0.0), limits().max_delay);
}

#[test]
fn a_session_that_opened_resets_the_delay() {
    let (mut backoff, now) = (Backoff::default(), Instant::now());
    for _ in 0..4 {
        backoff.note(&never_opened(now), &limits());
    }

    assert_eq!(pause_after(&mut backoff, &lived(now, Duration::from_secs(60))), None);
    assert_eq!(pause_after(&mut backoff, &never_opened(now)), Some(100));
}

#[test]
fn only_the_first_of_several_crashes_is_free() {
    let (mut backoff, now) = (Backoff::default(), Instant::now());
    let crash = lived(now, Duration::from_secs(1));

    let delays = [(); 4].map(|()| pause_after(&mut backoff, &crash));

    assert_eq!(delays, [None, Some(100), Some(200), Some(400)]);
    assert_eq!(pause_after(&mut backoff, &lived(now, limits().short_life)), None);
    assert_eq!(pause_after(&mut backoff, &crash), None);
}

#[test]
fn a_crash_loop_with_failed_attempts_in_it_still_backs_off() {
    let (mut backoff, now) = (Backoff::default(), Instant::now());
    let crash = lived(now, Duration::from_secs(1));
    for _ in 0..3 {
        backoff.note(&crash, &limits());
        backoff.note(&never_opened(now), &limits());
    }

    assert_eq!(pause_after(&mut backoff, &crash), Some(400));
}

#[test]
fn the_circuit_opens_after_enough_failed_attempts_and_not_for_crashes() {
    let (mut backoff, now) = (Backoff::default(), Instant::now());
    let mut circuit_after = |end: &SessionEnd| {
        backoff.note(end, &limits());
        backoff.pause(end.ended_at).unwrap().circuit
    };

    let opening = [(); 4].map(|()| circuit_after(&never_opened(now)));

    assert_eq!(opening, [Circuit::Closed, Circuit::Closed, Circuit::Open, Circuit::Open]);
    let mut crashing = Backoff::default();
    for _ in 0..9 {
        crashing.note(&lived(now, Duration::ZERO), &limits());
    }
    assert_eq!(crashing.pause(now).unwrap().circuit, Circuit::Closed);
}

#[test]
fn a_session_that_was_closed_is_no_failure() {
    let (mut backoff, now) = (Backoff::default(), Instant::now());
    let closed = SessionEnd { opened_at: None, ended_at: now, exit: Exit::Closed };

    for _ in 0..9 {
        assert_eq!(pause_after(&mut backoff, &closed), None);
    }
}

#[test]
fn jitter_only_shortens_and_by_no_more_than_its_share() {
    let mut limits = limits();
    limits.jitter_percent = 25;

    assert_eq!(delay(1, &limits, 0.0), Duration::from_millis(100));
    assert_eq!(delay(1, &limits, 1.0), Duration::from_millis(75));
    limits.jitter_percent = 1000;
    assert_eq!(delay(1, &limits, 1.0), Duration::ZERO);
}

#[test]
fn chance_differs_from_time_to_time() {
    let some = [(); 20].map(|()| chance());

    assert!(some.iter().all(|chance| (0.0..=1.0).contains(chance)), "{some:?}");
    assert!(some.iter().any(|chance| *chance != some[0]), "{some:?}");
}
