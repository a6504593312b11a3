%% The entry of all programs: reads the arguments, runs one experiment, prints its metrics.
-module(lab).
-export([main/1, fail/2, count/3, at_least/4, resident/0, repeat/1, median/1, spawner/1, ns/0]).
-export_type([args/0, metrics/0]).

-type args() :: #{atom() => string() | atom()}.
-type metrics() :: [{atom(), number()}].

-spec main([string()]) -> no_return().
main([Runtime, Experiment | Words]) ->
    Args = maps:from_list([{runtime, list_to_atom(Runtime)} | [pair(Word) || Word <- Words]]),
    try run(Experiment, Args) of
        Metrics ->
            print(Metrics),
            halt(0)
    catch
        throw:{failed, Sentence} -> leave(1, Sentence);
        throw:{bad_argument, Sentence} -> leave(2, Sentence)
    end;
main(_) ->
    leave(2, ["say which experiment to run: ", lists:join(", ", maps:keys(programs()))]).

run(Experiment, Args) ->
    case programs() of
        #{Experiment := Program} -> Program:run(Args);
        _ -> throw({bad_argument, io_lib:format("there is no experiment ~ts", [Experiment])})
    end.

programs() ->
    #{"spawn" => lab_spawn,
      "tasks" => lab_tasks,
      "ring" => lab_ring,
      "pipeline" => lab_pipeline,
      "pingpong" => lab_pingpong,
      "fanin" => lab_fanin,
      "overload" => lab_overload,
      "skynet" => lab_skynet,
      "startup" => lab_startup,
      "counting" => lab_counting,
      "fork-join-create" => lab_fork_join_create,
      "fork-join-throughput" => lab_fork_join_throughput,
      "big" => lab_big,
      "chameneos" => lab_chameneos,
      "bounded-buffer" => lab_bounded_buffer,
      "banking" => lab_banking,
      "sieve" => lab_sieve,
      "fib" => lab_fib}.

pair(Word) ->
    case string:split(Word, "=") of
        [Name, Value] -> {list_to_atom(Name), Value};
        _ -> leave(2, io_lib:format("\"~ts\" is not of the form name=value", [Word]))
    end.

leave(Code, Sentence) ->
    io:format(standard_error, "~ts.~n", [Sentence]),
    halt(Code).

%% Ends the program because its result is wrong.
fail(Format, Values) ->
    throw({failed, io_lib:format(Format, Values)}).

%% A whole number of at least 1, with or without the "ms" of a duration.
-spec count(atom(), args(), pos_integer()) -> pos_integer().
count(Name, Args, Default) ->
    at_least(1, Name, Args, Default).

%% The same, where an experiment makes no sense with fewer.
-spec at_least(pos_integer(), atom(), args(), pos_integer()) -> pos_integer().
at_least(Least, Name, Args, Default) ->
    Text = maps:get(Name, Args, integer_to_list(Default)),
    case string:to_integer(Text) of
        {N, Rest} when is_integer(N), N >= Least, Rest =:= "" orelse Rest =:= "ms" -> N;
        _ ->
            throw({bad_argument,
                   io_lib:format("~s=~ts is not a whole number of at least ~b", [Name, Text, Least])})
    end.

print(Metrics) ->
    Fields = [[$", atom_to_list(Name), $", $:, number(Value)] || {Name, Value} <- Metrics],
    Version = lists:flatten(io_lib:format("Erlang/OTP ~s (erts ~s)",
        [erlang:system_info(otp_release), erlang:system_info(version)])),
    io:format("{\"metrics\":{~s},\"runtime_version\":\"~s\"}~n",
        [lists:join($,, Fields), Version]).

number(N) when is_integer(N) -> integer_to_list(N);
number(F) -> io_lib:format("~.6f", [F]).

ns() ->
    erlang:monotonic_time(nanosecond).

%% The bytes that this operating-system process has resident; 0 where nobody tells.
resident() ->
    case file:read_file("/proc/self/status") of
        {ok, Status} ->
            case re:run(Status, "VmRSS:\\s*(\\d+)", [{capture, [1], list}]) of
                {match, [KB]} -> list_to_integer(KB) * 1024;
                nomatch -> 0
            end;
        {error, _} -> 0
    end.

%% How a process of this runtime is spawned.
spawner(#{runtime := 'erlang-proc_lib'}) -> fun proc_lib:spawn/1;
spawner(#{runtime := erlang}) -> fun erlang:spawn/1;
spawner(#{runtime := Other}) ->
    throw({bad_argument, io_lib:format("there is no runtime ~ts here", [Other])}).

%% Runs once, then at least three times and for at least three seconds. Each run is in a process
%% of its own, so that it begins with an empty heap and an empty mailbox.
-spec repeat(fun(() -> Nanos :: integer())) -> {Cold :: integer(), Median :: integer()}.
repeat(Run) ->
    Cold = apart(Run),
    {Cold, median(more(Run, [], ns() + 3_000_000_000))}.

more(Run, Done, Enough) ->
    case length(Done) >= 3 andalso ns() >= Enough of
        true -> Done;
        false -> more(Run, [apart(Run) | Done], Enough)
    end.

apart(Run) ->
    {Pid, Monitor} = spawn_monitor(fun() ->
        exit(try {ran, Run()} catch throw:Why -> {thrown, Why} end)
    end),
    receive
        {'DOWN', Monitor, process, Pid, {ran, Nanos}} -> Nanos;
        {'DOWN', Monitor, process, Pid, {thrown, Why}} -> throw(Why);
        {'DOWN', Monitor, process, Pid, Why} -> fail("a run crashed: ~tp", [Why])
    end.

median(Values) ->
    lists:nth(length(Values) div 2 + 1, lists:sort(Values)).
