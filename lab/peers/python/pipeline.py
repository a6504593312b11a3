import asyncio
from typing import Optional

from measure import Arguments, Failure, ensure, now, repeat

Texts = asyncio.Queue[Optional[str]]


async def stage(inbox: Texts, word: str, by: str, following: Texts) -> None:
    while (text := await inbox.get()) is not None:
        following.put_nowait(text.replace(word, by, 1))
    following.put_nowait(None)


async def writer(inbox: Texts) -> int:
    count = 0
    while (text := await inbox.get()) is not None:
        wrote = text.replace("Indexed", "Wrote", 1)
        if wrote != f"Wrote {count}":
            raise Failure(f'the last stage wrote "{wrote}"')
        count += 1
    return count


async def run_pipeline(items: int) -> int:
    start = now()
    requested, downloaded, indexed = Texts(), Texts(), Texts()
    async with asyncio.TaskGroup() as group:
        group.create_task(stage(requested, "Requested", "Downloaded", downloaded))
        group.create_task(stage(downloaded, "Downloaded", "Indexed", indexed))
        written = group.create_task(writer(indexed))
        for i in range(items):
            requested.put_nowait(f"Requested {i}")
        requested.put_nowait(None)
    wall = now() - start
    ensure("written strings", written.result(), items)
    return wall


async def pipeline(args: Arguments) -> dict[str, float]:
    items = args.count("items", 1_000_000)
    cold, warm = await repeat(lambda: run_pipeline(items))
    return {"wall_seconds": warm / 1e9, "wall_seconds_cold": cold / 1e9, "completed": items}
