import asyncio

from measure import Arguments, ensure, now


async def tasks(args: Arguments) -> dict[str, float]:
    n = args.count("tasks", 1_000_000)
    wait = args.seconds("wait", 10_000)
    start = now()
    running = [asyncio.create_task(asyncio.sleep(wait, 1)) for _ in range(n)]
    started = now() - start
    completed = 0
    for task in running:
        completed += await task
    wall = now() - start
    ensure("completed tasks", completed, n)
    return {"wall_seconds": wall / 1e9, "start_seconds": started / 1e9, "completed": completed}
