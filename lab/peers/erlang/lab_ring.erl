%% One token round a ring of processes; each counts what it gets.
-module(lab_ring).
-export([run/1]).

run(Args) ->
    N = lab:count(processes, Args, 3000),
    Rounds = lab:count(rounds, Args, 1000),
    Spawn = lab:spawner(Args),
    Few = max(1, Rounds div 10),
    {ColdSetup, ColdRun} = ring(N, Few, Spawn),
    {Setup, Run} = ring(N, Rounds, Spawn),
    Messages = N * Rounds,
    [{us_per_spawn, Setup / 1.0e3 / N},
     {ns_per_message, Run / Messages},
     {messages, Messages},
     {setup_seconds, Setup / 1.0e9},
     {run_seconds, Run / 1.0e9},
     {us_per_spawn_cold, ColdSetup / 1.0e3 / N},
     {ns_per_message_cold, ColdRun / (N * Few)}].

%% The last process is the first to be spawned, and is told who comes after it.
ring(N, Rounds, Spawn) ->
    Self = self(),
    Start = lab:ns(),
    Last = Spawn(fun() -> receive {next, Next} -> last(Next, Rounds, Self, 0) end end),
    First = lists:foldl(
        fun(_, Next) -> Spawn(fun() -> member(Next, Self, 0) end) end, Last, lists:seq(2, N)),
    Last ! {next, First},
    Ready = lab:ns(),
    First ! token,
    receive ran_all_rounds -> ok end,
    End = lab:ns(),
    First ! stop,
    Counted = lists:sum([receive {counted, Count} -> Count end || _ <- lists:seq(1, N)]),
    Counted =:= N * Rounds orelse
        lab:fail("the ring delivered ~b messages instead of ~b", [Counted, N * Rounds]),
    {Ready - Start, End - Ready}.

member(Next, Parent, Count) ->
    receive
        token ->
            Next ! token,
            member(Next, Parent, Count + 1);
        stop ->
            Parent ! {counted, Count},
            Next ! stop
    end.

last(Next, Rounds, Parent, Count) ->
    receive
        token when Count + 1 =:= Rounds ->
            Parent ! ran_all_rounds,
            last(Next, Rounds, Parent, Count + 1);
        token ->
            Next ! token,
            last(Next, Rounds, Parent, Count + 1);
        stop ->
            Parent ! {counted, Count}
    end.
