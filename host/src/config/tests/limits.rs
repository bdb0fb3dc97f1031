//! The limits that a file sets for workflows.

use super::*;
use crate::limits::{EngineLimits, LimitSettings, RunLimits};

/// A file with this section.
fn with_section(section: &str) -> String {
    format!(r#"{{"mcpServers": {{}}, "callgate": {section}}}"#)
}

/// The limits of the workflow `w`.
fn limits_of(limits: &str) -> LimitSettings {
    let text = with_section(&format!(r#"{{"workflows": {{"w": {{"limits": {limits}}}}}}}"#));
    parse(&text).unwrap().workflow(Path::new("flows/w.wasm")).unwrap().limits.clone()
}

#[test]
fn every_limit_has_a_key() {
    let limits = limits_of(
        r#"{"wall_clock_ms": 1, "cpu_time_ms": 2, "fuel": 3, "queue_time_ms": 4, "max_memory_bytes": 5,
            "max_table_elements": 6, "max_instances": 7, "max_stack_bytes": 8, "max_component_handles": 9,
            "max_transfer_bytes": 10, "max_calls": 11, "max_calls_in_flight": 12, "max_name_bytes": 13,
            "max_argument_bytes": 14, "max_result_bytes": 15, "max_total_result_bytes": 16, "max_output_bytes": 17,
            "max_log_bytes": 18}"#,
    );

    let (run, engine) =
        (limits.on_run(RunLimits::default()), limits.on_engine(EngineLimits::default()));
    assert_eq!([run.wall_clock, run.cpu_time, run.queue_time].map(|it| it.as_millis()), [1, 2, 4]);
    assert_eq!([run.fuel.unwrap(), run.max_calls, run.max_total_result_bytes], [3, 11, 16]);
    let sizes = [
        run.max_memory_bytes,
        run.max_table_elements,
        run.max_instances,
        engine.max_stack_bytes,
        run.max_component_handles,
        run.max_transfer_bytes,
        run.max_calls_in_flight,
        run.max_name_bytes,
        run.max_argument_bytes,
        run.max_result_bytes,
        run.max_output_bytes,
        run.max_log_bytes,
    ];
    assert_eq!(sizes, [5, 6, 7, 8, 9, 10, 12, 13, 14, 15, 17, 18]);
}

#[test]
fn what_is_not_said_stays_and_what_comes_first_wins() {
    let configured = limits_of(r#"{"max_calls": 5, "wall_clock_ms": 1500}"#);
    let given = LimitSettings { max_calls: Some(7), ..LimitSettings::default() };

    let run = given.or(&configured).on_run(RunLimits::default());

    assert_eq!((run.max_calls, run.wall_clock), (7, Duration::from_millis(1500)));
    assert_eq!(run.max_memory_bytes, RunLimits::default().max_memory_bytes);
}

#[test]
fn a_workflow_is_known_by_the_name_of_its_file() {
    let text = with_section(r#"{"workflows": {"census": {}}}"#);
    let config = parse(&text).unwrap();

    for (file, is_known) in
        [("census.wasm", true), ("/a/census.component.wasm", false), ("census", true), ("/", false)]
    {
        assert_eq!(config.workflow(Path::new(file)).is_some(), is_known, "{file}");
    }
    assert!(config.warnings.is_empty());
}

#[test]
fn a_mistake_in_the_section_refuses_the_file() {
    let whole = r#"{"workflows": {"w": {"limits": {"max_calls": "many", "fuel": 1.5, "wall_clock_ms": 0, "max_cals": 1}, "grant": []}}, "x": 1}"#;

    let mut problems = problems(&with_section(whole));

    problems.sort_by(|a, b| a.0.cmp(&b.0));
    let key = |key: &str| Some(format!("callgate.{key}"));
    let wrong_type = Fault::WrongType { expected: "a whole number", found: "a string" };
    let max_timeout = ConfigLimits::default().max_timeout;
    assert_eq!(
        problems,
        [
            (key("workflows.w.grant"), Fault::UnknownKey),
            (key("workflows.w.limits.fuel"), Fault::NotWhole),
            (key("workflows.w.limits.max_calls"), wrong_type),
            (key("workflows.w.limits.max_cals"), Fault::UnknownKey),
            (key("workflows.w.limits.wall_clock_ms"), Fault::Timeout { max_timeout }),
            (key("x"), Fault::UnknownKey),
        ]
    );
}
