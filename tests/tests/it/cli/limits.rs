//! Limits and the cache, as the command line and the configuration set them.

use std::fs;

use callgate_tests::{
    components::{self, SEVEN},
    guests,
};
use serde_json::{Value, json};

use super::Desk;

fn report(desk: &Desk) -> Value {
    serde_json::from_str(&fs::read_to_string(desk.path("report.json")).unwrap()).unwrap()
}

/// A desk whose configuration says this of the workflow `spin`.
fn desk_with_limits(limits: Value) -> Desk {
    let desk = Desk::new();
    let mut config: Value =
        serde_json::from_str(&fs::read_to_string(desk.path(".mcp.json")).unwrap()).unwrap();
    config["callgate"] = json!({ "workflows": { "spin": { "limits": limits } } });
    fs::write(desk.path(".mcp.json"), config.to_string()).unwrap();
    desk
}

#[test]
fn a_limit_is_named_in_the_report_and_on_standard_error() {
    let desk = Desk::new();
    let cases = [
        ("--cpu-time", "100ms", "cpu_time", "100ms"),
        ("--fuel", "1000000", "fuel", "1000000 instructions"),
        ("--timeout", "100ms", "wall_clock", "100ms"),
    ];

    for (option, value, limit, shown) in cases {
        let arguments = ["run", guests::SPIN, option, value, "--report", "report.json"];
        let ended = desk.callgate(&arguments);

        ended.assert_complains(3, &["the run was stopped", limit, shown, option]);
        let stopped = &report(&desk)["outcome"]["stopped"]["limit"];
        assert_eq!(
            [&stopped["limit"], &stopped["value"], &stopped["raise_with"]],
            [limit, shown, option]
        );
        assert!(!stopped["reached"].as_str().unwrap().is_empty(), "{stopped}");
    }
}

#[test]
fn a_stack_is_as_deep_as_the_command_says() {
    let desk = Desk::new();
    let deep = components::workflow(
        r#"(func $deeper (result i32) (i32.add (i32.const 1) (call $deeper)))
        (func (export "run") (param i32 i32) (result i32) (call $deeper))"#,
    );
    fs::write(desk.path("deep.wasm"), deep).unwrap();

    let ended = desk.callgate(&["run", "deep.wasm", "--max-stack", "128KiB"]);

    ended.assert_complains(3, &["max_stack_bytes", "131072 bytes", "--max-stack"]);
}

#[test]
fn the_configuration_limits_a_workflow_by_name_and_the_command_line_comes_first() {
    let desk = desk_with_limits(json!({ "cpu_time_ms": 80, "max_memory_bytes": 8 << 20 }));

    let configured = desk.callgate(&["run", guests::SPIN]);
    let given = desk.callgate(&["run", guests::SPIN, "--cpu-time", "90ms"]);

    configured.assert_complains(3, &["limit cpu_time (80ms)", "--cpu-time"]);
    given.assert_complains(3, &["limit cpu_time (90ms)"]);
    // It is of another workflow.
    assert_eq!(desk.callgate(&["run", guests::ECHO_INPUT, "--input", "1"]).stdout, "1\n");
}

#[test]
fn a_misspelt_limit_refuses_the_file() {
    let desk = desk_with_limits(json!({ "cpu_time": 80 }));

    let ended = desk.callgate(&["run", guests::SPIN]);

    ended.assert_complains(2, &["callgate.workflows.spin.limits.cpu_time", "isn't known"]);
}

#[test]
fn the_report_tells_what_a_run_took() {
    let desk = Desk::new();
    let arguments = [
        "run",
        guests::ECHO_INPUT,
        "--input",
        "1",
        "--fuel",
        "10000000",
        "--report",
        "report.json",
    ];

    assert_eq!(desk.callgate(&arguments).code, Some(0));

    let report = report(&desk);
    let [took, computed, waited] = ["duration_ms", "cpu_time_ms", "queue_wait_ms"]
        .map(|key| report[key].as_f64().unwrap_or_else(|| panic!("no {key} in {report}")));
    assert!(0.0 < computed && computed <= took && waited < took, "{report}");
    assert!((1..10_000_000).contains(&report["fuel"].as_u64().unwrap()), "{report}");
}

#[cfg(unix)]
#[test]
fn a_compiled_workflow_is_kept_unless_it_is_not_to_be() {
    let desk = Desk::new();
    fs::write(desk.path("seven.wasm"), components::workflow(SEVEN)).unwrap();
    let run = |options: &[&str]| {
        let ended = desk.callgate(&[&["run", "seven.wasm"][..], options].concat());
        assert_eq!((ended.code, &*ended.stdout, &*ended.stderr), (Some(0), "7\n", ""), "{ended:?}");
    };
    let files = |folder: &str| match fs::read_dir(desk.path(folder)) {
        Ok(files) => files.count(),
        Err(_) => 0,
    };

    run(&["--no-cache"]);
    assert_eq!(files("cache/callgate"), 0);
    run(&[]);
    run(&[]);
    assert_eq!(files("cache/callgate"), 1);
    run(&["--cache-dir", "mine"]);
    assert_eq!((files("mine"), files("cache/callgate")), (1, 1));
    let both = ["run", "seven.wasm", "--no-cache", "--cache-dir", "mine"];
    desk.callgate(&both).assert_complains(2, &["cannot be used with"]);
}

#[cfg(unix)]
#[test]
fn a_cache_that_others_can_write_to_is_not_used_and_a_warning_says_so() {
    use std::os::unix::fs::PermissionsExt;
    let desk = Desk::new();
    fs::write(desk.path("seven.wasm"), components::workflow(SEVEN)).unwrap();
    fs::create_dir(desk.path("mine")).unwrap();
    fs::set_permissions(desk.path("mine"), fs::Permissions::from_mode(0o777)).unwrap();

    let ended = desk.callgate(&["run", "seven.wasm", "--cache-dir", "mine"]);

    assert_eq!((ended.code, &*ended.stdout), (Some(0), "7\n"), "{ended:?}");
    assert!(ended.stderr.contains("mine") && ended.stderr.contains("777"), "{ended:?}");
    assert_eq!(fs::read_dir(desk.path("mine")).unwrap().count(), 0);
}
