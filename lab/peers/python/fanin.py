import asyncio

from measure import Arguments, ensure, now, repeat

Numbers = asyncio.Queue[int]


async def sender(begin: asyncio.Event, receiver: Numbers, each: int) -> None:
    await begin.wait()
    for i in range(each):
        receiver.put_nowait(i)


async def receive(inbox: Numbers, messages: int) -> int:
    total = 0
    for _ in range(messages):
        total += await inbox.get()
    return total


async def run_fanin(senders: int, each: int) -> int:
    inbox = Numbers()
    begin = asyncio.Event()
    async with asyncio.TaskGroup() as group:
        for _ in range(senders):
            group.create_task(sender(begin, inbox, each))
        receiver = group.create_task(receive(inbox, senders * each))
        await asyncio.sleep(0)  # lets all of them come to where they wait
        start = now()
        begin.set()
        total = await receiver
        wall = now() - start
    ensure("the sum", total, senders * (each * (each - 1) // 2))
    return wall


async def fanin(args: Arguments) -> dict[str, float]:
    senders = args.count("senders", 1000)
    each = args.count("messages", 1000)
    cold, warm = await repeat(lambda: run_fanin(senders, each))
    messages = senders * each
    return {
        "messages_per_second": messages * 1e9 / warm,
        "messages_per_second_cold": messages * 1e9 / cold,
        "messages": messages,
    }
