import asyncio

from measure import Arguments, ensure, now, repeat

Numbers = asyncio.Queue[int]


async def pong(inbox: Numbers, asker: Numbers) -> int:
    count = 0
    while (i := await inbox.get()) >= 0:
        asker.put_nowait(i)
        count += 1
    return count


async def ping(inbox: Numbers, answerer: Numbers, rounds: int) -> None:
    for i in range(rounds):
        answerer.put_nowait(i)
        ensure("the number of a pong", await inbox.get(), i)


async def run_pingpong(rounds: int) -> int:
    pings, pongs = Numbers(), Numbers()
    answering = asyncio.create_task(pong(pings, pongs))
    start = now()
    await asyncio.create_task(ping(pongs, pings, rounds))
    wall = now() - start
    pings.put_nowait(-1)
    ensure("pings", await answering, rounds)
    return wall


async def pingpong(args: Arguments) -> dict[str, float]:
    rounds = args.count("rounds", 1_000_000)
    cold, warm = await repeat(lambda: run_pingpong(rounds))
    return {
        "ns_per_round": warm / rounds,
        "ns_per_round_cold": cold / rounds,
        "messages": 2 * rounds,
    }
