//! Looks for a world by WASI, and tells what it saw: `{"random", "seed", "opened", "passed", "first", "files", "variables", "arguments",
//! "can_connect", "can_resolve"}`. Writes a line to each output; exits with 3 when told to, and writes a number of bytes more.

use callgate_guest::Failure;
use serde::{Deserialize, Serialize};
use wasip2::{
    cli::{environment, exit, stderr, stdout},
    clocks::{monotonic_clock, wall_clock},
    filesystem::preopens,
    io::{poll, streams::OutputStream},
    random::{insecure, insecure_seed, random},
    sockets::{
        instance_network::instance_network, ip_name_lookup, network::IpAddressFamily,
        tcp_create_socket::create_tcp_socket,
    },
};

#[derive(Deserialize, Default)]
#[serde(default)]
struct Input {
    exits: bool,
    write_bytes: usize,
    random_bytes: u64,
}

#[derive(Serialize)]
struct Seen {
    random: u64,
    insecure: u64,
    seed: (u64, u64),
    /// What the clock shows at the start, in seconds since 1970.
    opened: u64,
    /// What an hour's sleep took, in whole seconds.
    passed: u64,
    /// Which of the timers of 3, 1 and 2 seconds came.
    first: Vec<u32>,
    files: usize,
    variables: usize,
    arguments: usize,
    can_connect: bool,
    can_resolve: bool,
}

fn write(to: &OutputStream, text: &str) {
    // WASI takes at most so many bytes at once.
    for piece in text.as_bytes().chunks(4096) {
        to.blocking_write_and_flush(piece).expect("an output takes what is written");
    }
}

async fn run(input: Option<Input>) -> Result<Seen, Failure> {
    let input = input.unwrap_or_default();
    write(&stdout::get_stdout(), "hello from inside\n");
    write(&stderr::get_stderr(), "and a complaint\n");
    write(&stdout::get_stdout(), &"x".repeat(input.write_bytes));
    if input.exits {
        exit::exit_with_code(3);
    }
    let opened = wall_clock::now().seconds;
    let before = monotonic_clock::now();
    monotonic_clock::subscribe_duration(3_600_000_000_000).block();
    let passed = (monotonic_clock::now() - before) / 1_000_000_000;
    let timers = [3, 1, 2].map(|s| monotonic_clock::subscribe_duration(s * 1_000_000_000));
    let first = poll::poll(&timers.iter().collect::<Vec<_>>());
    random::get_random_bytes(input.random_bytes);
    Ok(Seen {
        random: random::get_random_u64(),
        insecure: insecure::get_insecure_random_u64(),
        seed: insecure_seed::insecure_seed(),
        opened,
        passed,
        first,
        files: preopens::get_directories().len(),
        variables: environment::get_environment().len(),
        arguments: environment::get_arguments().len(),
        can_connect: create_tcp_socket(IpAddressFamily::Ipv4).is_ok(),
        can_resolve: ip_name_lookup::resolve_addresses(&instance_network(), "localhost").is_ok(),
    })
}

callgate_guest::workflow!(run);
