%% Many processes are created, wait, and are ended, round after round.
-module(lab_spawn).
-export([run/1]).
%% What a process under test runs; exported because it is spawned by name.
-export([waiting/3, spinning/3, started/4]).

-define(WAITING, 1).
-define(ENDED, 2).

run(Args) ->
    N = lab:count(processes, Args, 100_000),
    Body = case maps:get(busy, Args, "false") of
        "true" -> spinning;
        "false" -> waiting;
        Busy -> throw({bad_argument, io_lib:format("busy=~ts is neither true nor false", [Busy])})
    end,
    Kind = list_to_atom(maps:get(kind, Args, "plain")),
    Spawn = spawner(maps:get(runtime, Args), Kind),
    Round = fun(Observe) -> round(N, Kind, Body, Spawn, Observe) end,

    Rss = lab:resident(),
    {Cold, _, Grown} = Round(fun() -> lab:resident() - Rss end),
    Warm = warm(Round, [], lab:ns() + 1_000_000_000),
    Used = used(),
    {_, _, Bytes} = Round(fun() -> used() - Used end),
    Rounds = length(Warm) + 2,
    [{ns_per_spawn, lab:median([Created || {Created, _, _} <- Warm]) / N},
     {bytes_per_process, Bytes / N},
     {rss_bytes_per_process, Grown / N},
     {ns_per_spawn_cold, Cold / N},
     {ns_per_end, lab:median([Ended || {_, Ended, _} <- Warm]) / N},
     {rounds, Rounds},
     {ended, Rounds * N}].

warm(_, Done, _) when length(Done) >= 101 -> Done;
warm(Round, Done, Enough) ->
    case length(Done) >= 5 andalso lab:ns() >= Enough of
        true -> Done;
        false -> warm(Round, [Round(fun() -> 0 end) | Done], Enough)
    end.

spawner(erlang, plain) -> fun(F, A) -> spawn(?MODULE, F, A) end;
spawner(erlang, linked) -> fun(F, A) -> spawn_link(?MODULE, F, A) end;
spawner(erlang, monitored) ->
    fun(F, A) -> {Pid, _} = spawn_monitor(?MODULE, F, A), Pid end;
spawner('erlang-proc_lib', plain) -> fun(F, A) -> proc_lib:spawn(?MODULE, F, A) end;
spawner('erlang-proc_lib', linked) -> fun(F, A) -> proc_lib:spawn_link(?MODULE, F, A) end;
spawner('erlang-proc_lib', monitored) ->
    fun(F, A) -> {Pid, _} = proc_lib:spawn_opt(?MODULE, F, A, [monitor]), Pid end;
spawner('erlang-proc_lib', handshake) ->
    fun(F, A) -> {ok, Pid} = proc_lib:start_link(?MODULE, started, [F | A]), Pid end;
spawner(Runtime, Kind) ->
    throw({bad_argument, io_lib:format("~s has no kind=~ts", [Runtime, Kind])}).

%% One round in a parent of its own. Whoever is the last to begin to wait, or to end, tells it.
%% Bound to the parent by link or monitor, the parent hears of each end besides.
round(N, Kind, Body, Spawn, Observe) ->
    {Parent, Monitor} = spawn_monitor(fun() ->
        process_flag(trap_exit, true),
        Counts = atomics:new(2, []),
        Start = lab:ns(),
        Pids = [Spawn(Body, [self(), Counts, N]) || _ <- lists:seq(1, N)],
        Body =:= waiting andalso receive all_wait -> ok end,
        Created = lab:ns(),
        Observed = Observe(),
        Observation = lab:ns() - Created,
        [Pid ! stop || Pid <- Pids],
        receive all_ended -> ok end,
        hear(case Kind of plain -> 0; _ -> N end),
        Ended = lab:ns(),
        N = atomics:get(Counts, ?ENDED),
        exit({round, {Created - Start, Ended - Created - Observation, Observed}})
    end),
    receive
        {'DOWN', Monitor, process, Parent, {round, Result}} -> Result;
        {'DOWN', Monitor, process, Parent, Why} -> lab:fail("a round crashed: ~tp", [Why])
    end.

hear(0) -> ok;
hear(N) ->
    receive
        {'EXIT', _, normal} -> hear(N - 1);
        {'DOWN', _, process, _, normal} -> hear(N - 1)
    end.

waiting(Parent, Counts, N) ->
    count(?WAITING, all_wait, Parent, Counts, N),
    receive stop -> count(?ENDED, all_ended, Parent, Counts, N) end.

spinning(Parent, Counts, N) ->
    receive
        stop -> count(?ENDED, all_ended, Parent, Counts, N)
    after 0 -> spinning(Parent, Counts, N)
    end.

%% Tells the parent that it has started, as init of a behaviour does.
started(Body, Parent, Counts, N) ->
    proc_lib:init_ack(Parent, {ok, self()}),
    case Body of
        waiting -> waiting(Parent, Counts, N);
        spinning -> spinning(Parent, Counts, N)
    end.

count(What, News, Parent, Counts, N) ->
    case atomics:add_get(Counts, What, 1) of
        N -> Parent ! News;
        _ -> ok
    end.

%% The bytes that the emulator has allocated and uses.
used() ->
    [erlang:garbage_collect(Pid) || Pid <- [self(), whereis(init)]],
    erlang:memory(total).
