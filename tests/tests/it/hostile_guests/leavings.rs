//! What hundreds of hostile runs leave behind: no task, no descriptor and no memory.
//!
//! Other tests of this process would be counted too, so the test starts this binary again, for itself alone.

use std::{env, fs, process::Command, time::Duration};

use callgate::Allocation;
use callgate_tests::components::{Parts, RETURNS_AN_ANSWER};
use tokio::{runtime::Handle, time::Instant};

use super::{End, Guest, Host};

/// Set where a test is alone.
const ALONE: &str = "CALLGATE_TEST_ALONE";
/// Rounds of all guests of the mix. What is made once and kept, such as what allocators hold back, is made in the first ones.
const WARM_UP: usize = 5;
const ROUNDS: usize = 30;
/// What allocators may hold back of runs that had 16 MiB each.
const MAY_STAY_KIB: u64 = 16 << 10;

/// What this process has at a time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Held {
    tasks: usize,
    descriptors: usize,
    resident_kib: u64,
}

impl Held {
    pub(crate) fn now() -> Self {
        let status = fs::read_to_string("/proc/self/status").unwrap();
        let resident = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
        Self {
            tasks: Handle::current().metrics().num_alive_tasks(),
            descriptors: fs::read_dir("/proc/self/fd").unwrap().count(),
            resident_kib: resident.split_whitespace().nth(1).unwrap().parse().unwrap(),
        }
    }
}

impl Held {
    /// What there is once what runs have cancelled is over: that ends in the background, for which a machine under load takes its
    /// time.
    pub(crate) async fn settled(base: Self) -> Self {
        let patience = Instant::now() + Duration::from_secs(20);
        while Self::now().tasks > base.tasks && Instant::now() < patience {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        Self::now()
    }

    /// Fails if there is more than there was at `base`.
    #[track_caller]
    pub(crate) fn assert_as_little_as(self, base: Self) {
        assert!(
            self.tasks <= base.tasks && self.descriptors <= base.descriptors,
            "{base:?}, {self:?}"
        );
        assert!(self.resident_kib <= base.resident_kib + MAY_STAY_KIB, "{base:?}, {self:?}");
    }
}

/// Whether this process runs nothing but the test that asks.
pub(crate) fn is_alone() -> bool {
    env::var_os(ALONE).is_some()
}

/// Runs one test of this binary in a process of its own.
pub(crate) async fn run_alone(test: &'static str) {
    let alone = tokio::task::spawn_blocking(move || {
        Command::new(env::current_exe().unwrap())
            .args(["--exact", "--nocapture", test])
            .env(ALONE, "1")
            .output()
            .unwrap()
    });

    let alone = alone.await.unwrap();

    let said = String::from_utf8_lossy(&alone.stdout).into_owned()
        + &String::from_utf8_lossy(&alone.stderr);
    assert!(alone.status.success() && said.contains("1 passed"), "{said}");
    println!("{said}");
}

fn mix() -> Vec<Guest> {
    let run = |body: &str| {
        format!(r#"(func (export "run") (param i32 i32) (result i32) {body} unreachable)"#)
    };
    let flood = |then: &str| {
        run(&format!(
            "(local.set 0 (i32.const 300))
            (loop (drop (call $call (i32.const 128) (i32.const 256)))
                (br_if 0 (local.tee 0 (i32.sub (local.get 0) (i32.const 1)))))
            {then}"
        ))
    };
    vec![
        Guest::alone("spins", &run("(loop (br 0))"), End::Limit("cpu_time")),
        Guest::alone("recurses", &format!("(func $f (call $f) (nop)) {}", run("(call $f)")), End::Limit("max_stack_bytes")),
        Guest::alone(
            "grows and writes all of it",
            &run("(loop (if (i32.ne (i32.const -1) (memory.grow (i32.const 16)))
                (then (memory.fill (i32.const 0) (i32.const 1) (i32.shl (memory.size) (i32.const 16))) (br 1))))"),
            End::Limit("max_memory_bytes"),
        ),
        Guest::alone("traps", &run(""), End::Trap("unreachable")),
        Guest::caller("floods and traps", &flood(""), End::Trap("unreachable")),
        Guest::caller("floods and returns", &flood("(call $return-seven) (return (i32.const 0))"), End::Done("7")),
        Guest::caller("hoards sets", &run("(loop (drop (call $set-new)) (br 0))"), End::Limit("max_component_handles")),
        Guest::caller("calls without end", &run("(loop (drop (call $call (i32.const 96) (i32.const 256))) (br 0))"), End::Limit("max_calls")),
        Guest::caller_of(
            "gives no room",
            Parts { code: RETURNS_AN_ANSWER, realloc: "(i32.const -1)", ..Parts::default() },
            End::Trap("beyond end of memory"),
        ),
    ]
}

async fn hundreds_of_runs() {
    let host = Host::new(Allocation::OnDemand).await;
    let mut loaded = Vec::new();
    for guest in mix() {
        let workflow = super::load(&host.engine, guest.component.clone()).await.unwrap();
        loaded.push((guest, workflow));
    }
    let mut base = None;
    for round in 0..WARM_UP + ROUNDS {
        if round == WARM_UP {
            base = Some(Held::now());
        }
        for (guest, workflow) in &loaded {
            let report = host.run(workflow, guest.limits.clone()).await;
            let ended = super::as_expected(guest.ends, &report.outcome.into());
            assert_eq!(ended, Ok(()), "{}", guest.name);
        }
    }

    let base = base.unwrap();
    let now = Held::settled(base).await;
    println!("before {base:?}, after {} runs {now:?}", ROUNDS * loaded.len());
    now.assert_as_little_as(base);
    host.close().await;
    // The session's owner ends in the background.
    while Handle::current().metrics().num_alive_tasks() > 0 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hundreds_of_hostile_runs_leave_nothing_behind() {
    match is_alone() {
        true => hundreds_of_runs().await,
        false => {
            run_alone("hostile_guests::leavings::hundreds_of_hostile_runs_leave_nothing_behind")
                .await;
        }
    }
}
