//! What hundreds of hostile scripts leave behind: no task, no descriptor and no memory.
//!
//! Other tests of this process would be counted too, so the test starts this binary again, for itself alone.

use tokio::runtime::Handle;

use super::{Attack, Host, as_expected, done, endless, fails, stopped};
use crate::hostile_guests::leavings::{Held, is_alone, run_alone};

/// Rounds of all scripts of the mix. What is made once and kept, such as what allocators hold back, is made in the first ones.
const WARM_UP: usize = 4;
const ROUNDS: usize = 8;

fn mix() -> Vec<Attack> {
    vec![
        endless("spins", "for (;;);"),
        endless("spins in turns", "for (;;) await null"),
        fails("recurses", "function f() { return f() + 1 } f()", "exception", "RangeError"),
        stopped(
            "nests",
            "let a = []; for (let i = 0; i < 2e4; i++) a = [a]; return a",
            "max_stack_bytes",
        ),
        fails(
            "hoards",
            "const all = []; for (;;) all.push(new Uint8Array(1 << 20))",
            "exception",
            "max_memory_bytes",
        ),
        fails(
            "throws with calls under way",
            "for (let i = 0; i < 40; i++) tools.fake.hang(); throw new Error('x')",
            "exception",
            "Error: x",
        ),
        stopped("calls without end", "for (;;) tools.fake.read()", "max_calls"),
        stopped("returns too much", "return 'x'.repeat(2 << 20)", "max_output_bytes"),
        done(
            "logs too much",
            "for (let i = 0; i < 1000; i++) console.log('x'.repeat(100)); return 1",
            "1",
        ),
        fails(
            "pollutes and throws",
            "Object.prototype.toJSON = Array.prototype[0] = () => { throw 1 }; throw new Error('x')",
            "exception",
            "Error: x",
        ),
        fails("is no script", "}); (function () {", "syntax-error", ""),
    ]
}

async fn hundreds_of_runs() {
    let host = Host::new();
    let mix = mix();
    let mut base = Held::now();
    for round in 0..WARM_UP + ROUNDS {
        if round == WARM_UP {
            base = Held::now();
        }
        for attack in &mix {
            let report = host.run_attack(attack).await.unwrap();
            assert_eq!(as_expected(attack.ends, &report), Ok(()), "{}", attack.name);
        }
        host.try_good().await.unwrap();
    }

    let now = Held::settled(base).await;
    println!("before {base:?}, after {} runs {now:?}", ROUNDS * (mix.len() + 1));
    now.assert_as_little_as(base);
    host.close().await;
    // The session's owner ends in the background.
    while Handle::current().metrics().num_alive_tasks() > 0 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hundreds_of_hostile_scripts_leave_nothing_behind() {
    match is_alone() {
        true => hundreds_of_runs().await,
        false => {
            run_alone(
                "hostile_scripts::leavings::hundreds_of_hostile_scripts_leave_nothing_behind",
            )
            .await;
        }
    }
}
