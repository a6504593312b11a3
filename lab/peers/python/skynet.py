import asyncio

from measure import Arguments, BadArgument, ensure, now, repeat


async def node(number: int, leaves: int) -> int:
    """A leaf gives its number, any other task the sum of its ten children."""
    if leaves == 1:
        return number
    each = leaves // 10
    children = [asyncio.create_task(node(number + i * each, each)) for i in range(10)]
    return sum([await child for child in children])


async def run_skynet(leaves: int) -> int:
    start = now()
    total = await asyncio.create_task(node(0, leaves))
    wall = now() - start
    ensure("the sum of the leaves", total, leaves * (leaves - 1) // 2)
    return wall


async def skynet(args: Arguments) -> dict[str, float]:
    leaves = args.count("leaves", 1_000_000)
    if str(leaves).strip("0") != "1":
        raise BadArgument(f"leaves={leaves} is not a power of ten")
    cold, warm = await repeat(lambda: run_skynet(leaves))
    return {"ms": warm / 1e6, "ms_cold": cold / 1e6, "sum": leaves * (leaves - 1) // 2}
