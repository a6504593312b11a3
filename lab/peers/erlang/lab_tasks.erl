%% Many tasks wait at the same time; the program ends when all have.
-module(lab_tasks).
-export([run/1]).

run(Args) ->
    N = lab:count(tasks, Args, 1_000_000),
    Wait = lab:count(wait, Args, 10_000),
    Spawn = lab:spawner(Args),
    Self = self(),
    Start = lab:ns(),
    start(N, Spawn, fun() -> timer:sleep(Wait), Self ! done end),
    Started = lab:ns(),
    Completed = await(N, 0),
    End = lab:ns(),
    [{wall_seconds, (End - Start) / 1.0e9},
     {start_seconds, (Started - Start) / 1.0e9},
     {completed, Completed}].

start(0, _, _) -> ok;
start(N, Spawn, Task) ->
    Spawn(Task),
    start(N - 1, Spawn, Task).

await(N, N) -> N;
await(N, Completed) -> receive done -> await(N, Completed + 1) end.
