"""The programs of the lab in Python: tasks of asyncio, which all run on one thread."""

import asyncio
import json
import platform
import sys

from fanin import fanin
from measure import Arguments, BadArgument, Failure
from pingpong import pingpong
from pipeline import pipeline
from ring import ring
from skynet import skynet
from spawn import spawn
from tasks import tasks

EXPERIMENTS = {
    program.__name__: program
    for program in (spawn, tasks, ring, pipeline, pingpong, fanin, skynet)
}


def main(words: list[str]) -> int:
    try:
        name = words[0] if words else ""
        if name not in EXPERIMENTS:
            raise BadArgument(f'"{name}" is none of the experiments {", ".join(EXPERIMENTS)}')
        metrics = asyncio.run(EXPERIMENTS[name](Arguments(words[1:])))
    except BadArgument as error:
        print(f"{error}.", file=sys.stderr)
        return 2
    except (Failure, ExceptionGroup) as error:  # a group if it comes from a task of a TaskGroup
        while isinstance(error, ExceptionGroup):
            error = error.exceptions[0]
        print(f"{error}.", file=sys.stderr)
        return 1
    version = f"{platform.python_implementation()} {platform.python_version()}"
    print(json.dumps({"metrics": metrics, "runtime_version": version}))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
