"""Arguments, the watch, and what a program says when something is wrong."""

import time
from collections.abc import Awaitable, Callable


class BadArgument(Exception):
    """A program was asked for what cannot be done."""


class Failure(Exception):
    """The result of a program is wrong."""


class Arguments:
    """The arguments of an experiment: name=value."""

    def __init__(self, words: list[str]) -> None:
        self._values: dict[str, str] = {}
        for word in words:
            name, equals, value = word.partition("=")
            if not equals:
                raise BadArgument(f'"{word}" is not of the form name=value')
            self._values[name] = value

    def text(self, name: str, preset: str) -> str:
        return self._values.get(name, preset)

    def count(self, name: str, preset: int) -> int:
        """A whole number of at least 1."""
        text = self.text(name, str(preset))
        if not (text.isascii() and text.isdigit() and int(text) >= 1):
            raise BadArgument(f"{name}={text} is not a whole number of at least 1")
        return int(text)

    def seconds(self, name: str, preset_millis: int) -> float:
        """A time that is written in milliseconds, such as 10000ms."""
        text = self.text(name, f"{preset_millis}ms")
        number = text.removesuffix("ms")
        if number == text or not (number.isascii() and number.isdigit() and int(number) >= 1):
            raise BadArgument(f"{name}={text} is not a time such as 10000ms")
        return int(number) / 1000


def ensure(what: str, actual: int, expected: int) -> None:
    if actual != expected:
        raise Failure(f"{what}: {actual} instead of {expected}")


now = time.perf_counter_ns


def median(values: list[int]) -> int:
    return sorted(values)[len(values) // 2]


async def repeat(run: Callable[[], Awaitable[int]]) -> tuple[int, int]:
    """Runs once, then at least three times and for at least three seconds.

    Returns the first time and the median of the others, in nanoseconds.
    """
    cold = await run()
    warm: list[int] = []
    begin = now()
    while len(warm) < 3 or now() - begin < 3_000_000_000:
        warm.append(await run())
    return cold, median(warm)


def resident() -> int:
    """The bytes that this process has resident; 0 where nobody tells."""
    try:
        with open("/proc/self/status", encoding="ascii") as status:
            for line in status:
                if line.startswith("VmRSS:"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    return 0
