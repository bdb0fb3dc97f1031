"""The figures of modebox, as `host/benches/peers.rs` has those of Callgate: one JSON object.

By its Python API, which is the one it is installed with: one `Runner` for all runs, on one event loop, with compiled code on
disk. Counting of instructions is off, as it is for Callgate by default.
"""

import asyncio
import json
import statistics
import sys
import time

import modebox

WARM_UP = 100
RUNS = 1_000
CALLS = 200
PARKED = 200

CALLING = """
let sum = 0;
for (let at = 0; at < COUNT; at++) sum += (await host.echo({ value: at })).value;
return sum;
"""


def private_kib() -> int:
    with open("/proc/self/smaps_rollup") as lines:
        return sum(int(line.split()[1]) for line in lines if line.startswith("Private"))


async def median_us(warm_up, count, run):
    """The median time of a run, and of what modebox says that a run took without its Python part."""
    for _ in range(warm_up):
        await run()
    times, own = [], []
    for _ in range(count):
        start = time.perf_counter()
        result = await run()
        times.append((time.perf_counter() - start) * 1e6)
        own.append(result.stats.wall_ms * 1e3)
    return statistics.median(times), statistics.median(own)


async def calls(runner, echo, count):
    host_functions = {"host": {"echo": echo}}
    source = CALLING.replace("COUNT", str(count))
    expected = sum(range(count))

    async def run():
        result = await runner.run(source, host_functions=host_functions)
        assert result.value == expected, result
        return result

    return await median_us(WARM_UP // 10, RUNS // 20, run)


async def parked_kib(runner):
    """Private memory for each run that waits inside a host function."""
    inside, release = 0, asyncio.Event()

    async def wait():
        nonlocal inside
        inside += 1
        await release.wait()
        return 1

    run = lambda: runner.run("return await host.wait()", host_functions={"host": {"wait": wait}})
    release.set()
    await run()
    release.clear()
    inside = 0
    before = private_kib()
    runs = [asyncio.create_task(run()) for _ in range(PARKED)]
    while inside < PARKED:
        await asyncio.sleep(0.01)
    after = private_kib()
    release.set()
    assert all(result.value == 1 for result in await asyncio.gather(*runs))
    return (after - before) / PARKED


async def main():
    runner = modebox.Runner(metering=False, cache_dir=sys.argv[1], max_instances=PARKED + 1)

    async def echo(value):
        return value

    start, own_start = await median_us(WARM_UP, RUNS, lambda: runner.run("return 1"))
    some, own_some = await calls(runner, echo, CALLS)
    none, own_none = await calls(runner, echo, 0)
    figures = {
        "start_us": start,
        "own_start_us": own_start,
        "call_us": (some - none) / CALLS,
        "own_call_us": (own_some - own_none) / CALLS,
        "parked_kib": await parked_kib(runner),
    }
    print(json.dumps(figures))


asyncio.run(main())
