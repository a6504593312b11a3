%% Many tasks wait at the same time; the program ends when all have.
-module(peer_tasks).
-export([run/1]).

run(Args) ->
    N = peer:count(tasks, Args, 1_000_000),
    Wait = peer:count(wait, Args, 10_000),
    Spawn = peer:spawner(Args),
    Self = self(),
    Start = peer:ns(),
    start(N, Spawn, fun() -> timer:sleep(Wait), Self ! done end),
    Started = peer:ns(),
    Completed = await(N, 0),
    End = peer:ns(),
    [{wall_seconds, (End - Start) / 1.0e9},
     {start_seconds, (Started - Start) / 1.0e9},
     {completed, Completed}].

start(0, _, _) -> ok;
start(N, Spawn, Task) ->
    Spawn(Task),
    start(N - 1, Spawn, Task).

await(N, N) -> N;
await(N, Completed) -> receive done -> await(N, Completed + 1) end.
