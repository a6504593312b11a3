%% Processes are created one after the other; each computes something for one message and ends.
-module(lab_fork_join_create).
-export([run/1]).

-define(THETA, 37.2).

run(Args) ->
    Actors = lab:count(actors, Args, 40_000),
    Spawn = lab:spawner(Args),
    lab_savina:measure(ended, Actors, fun() ->
        Self = self(),
        fork(Actors, Spawn, fun() -> actor(Self) end),
        join(Actors, 0)
    end).

fork(0, _, _) -> ok;
fork(Left, Spawn, Actor) ->
    Spawn(Actor) ! {compute, ?THETA},
    fork(Left - 1, Spawn, Actor).

join(0, Ended) -> Ended;
join(Left, Ended) ->
    receive
        {ended, Value} when Value > 0 -> join(Left - 1, Ended + 1);
        {ended, _} -> join(Left - 1, Ended)
    end.

actor(Parent) ->
    receive {compute, Theta} -> Parent ! {ended, lab_savina:compute(Theta)} end.
