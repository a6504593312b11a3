import asyncio
import gc

from measure import Arguments, BadArgument, ensure, median, now, resident


class Crowd:
    """Many tasks that each wait for one message in a queue of their own."""

    def __init__(self, n: int) -> None:
        self._n = n
        self._waiting = 0
        self._ended = 0
        self._all_wait = asyncio.Event()
        self._queues: list[asyncio.Queue[str]] = []
        self._tasks: list[asyncio.Task[None]] = []

    async def _wait(self, queue: asyncio.Queue[str]) -> None:
        self._waiting += 1
        if self._waiting == self._n:
            self._all_wait.set()
        await queue.get()
        self._ended += 1

    async def create(self) -> None:
        """Returns when every task waits."""
        for _ in range(self._n):
            queue: asyncio.Queue[str] = asyncio.Queue()
            self._queues.append(queue)
            self._tasks.append(asyncio.create_task(self._wait(queue)))
        await self._all_wait.wait()

    async def end(self) -> int:
        """Returns how many tasks ended, when all have."""
        for queue in self._queues:
            queue.put_nowait("stop")
        for task in self._tasks:
            await task
        return self._ended


async def spawn(args: Arguments) -> dict[str, float]:
    n = args.count("processes", 100_000)
    if (kind := args.text("kind", "plain")) != "plain":
        raise BadArgument(f"tasks have no links and no monitors, so there is no kind={kind}")
    if args.text("busy", "false") != "false":
        raise BadArgument("all tasks run on one thread, so only one of them could spin")

    async def spawn_round() -> tuple[int, int, int, int]:
        before = resident()
        crowd = Crowd(n)
        start = now()
        await crowd.create()
        created = now() - start
        grown = resident() - before
        start = now()
        ended = await crowd.end()
        return created, now() - start, grown, ended

    cold, _, grown, ended = await spawn_round()
    creates: list[int] = []
    ends: list[int] = []
    begin = now()
    while len(creates) < 5 or (len(creates) < 101 and now() - begin < 1_000_000_000):
        gc.collect()
        create, end, _, ended_now = await spawn_round()
        creates.append(create)
        ends.append(end)
        ended += ended_now

    rounds = 1 + len(creates)
    ensure("tasks that ended", ended, rounds * n)
    return {
        "ns_per_spawn": median(creates) / n,
        "bytes_per_process": grown / n,
        "rss_bytes_per_process": grown / n,
        "ns_per_spawn_cold": cold / n,
        "ns_per_end": median(ends) / n,
        "rounds": rounds,
        "ended": ended,
    }
