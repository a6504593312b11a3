import asyncio

from measure import Arguments, ensure, now

TOKEN = "token"
STOP = "stop"


async def member(inbox: asyncio.Queue[str], following: asyncio.Queue[str]) -> int:
    count = 0
    while await inbox.get() is TOKEN:
        count += 1
        following.put_nowait(TOKEN)
    following.put_nowait(STOP)
    return count


async def last_member(
    inbox: asyncio.Queue[str],
    first: asyncio.Queue[str],
    rounds: int,
    ran_all_rounds: asyncio.Event,
) -> int:
    count = 0
    while await inbox.get() is TOKEN:
        count += 1
        if count == rounds:
            ran_all_rounds.set()
        else:
            first.put_nowait(TOKEN)
    return count


async def run_ring(processes: int, rounds: int) -> tuple[int, int]:
    """Returns the nanoseconds of setup and of the run."""
    ran_all_rounds = asyncio.Event()
    start = now()
    members = []
    first: asyncio.Queue[str] = asyncio.Queue()
    inbox = first
    for _ in range(1, processes):
        following: asyncio.Queue[str] = asyncio.Queue()
        members.append(asyncio.create_task(member(inbox, following)))
        inbox = following
    members.append(asyncio.create_task(last_member(inbox, first, rounds, ran_all_rounds)))
    ready = now()

    first.put_nowait(TOKEN)
    await ran_all_rounds.wait()
    end = now()

    first.put_nowait(STOP)
    counts = await asyncio.gather(*members)
    ensure("delivered messages", sum(counts), processes * rounds)
    return ready - start, end - ready


async def ring(args: Arguments) -> dict[str, float]:
    processes = args.count("processes", 3000)
    rounds = args.count("rounds", 1000)
    few = max(1, rounds // 10)
    messages = processes * rounds
    cold_setup, cold_run = await run_ring(processes, few)
    setup, run = await run_ring(processes, rounds)
    return {
        "us_per_spawn": setup / 1e3 / processes,
        "ns_per_message": run / messages,
        "messages": messages,
        "setup_seconds": setup / 1e9,
        "run_seconds": run / 1e9,
        "us_per_spawn_cold": cold_setup / 1e3 / processes,
        "ns_per_message_cold": cold_run / (processes * few),
    }
