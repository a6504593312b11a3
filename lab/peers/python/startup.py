"""The smallest program: one task answers one question.

It loads nothing but asyncio, since what a program of Python loads is part of its start.
"""

import asyncio
import sys

Numbers = asyncio.Queue[int]


async def answerer(questions: Numbers, answers: Numbers) -> None:
    answers.put_nowait(await questions.get() + 1)


async def main() -> int:
    questions, answers = Numbers(), Numbers()
    answering = asyncio.create_task(answerer(questions, answers))
    questions.put_nowait(41)
    answer = await answers.get()
    await answering
    return answer


if __name__ == "__main__":
    result = asyncio.run(main())
    if result != 42:
        sys.exit(f"the answer is {result} instead of 42.")
    print('{"metrics":{"answers":1}}')
