%% Producers send to a consumer that is slow: without waiting for anything, or, with the runtime
%% erlang-ack, for an acknowledgement of every hundredth message, as a call does.
-module(lab_overload).
-export([run/1]).

%% A message is counted as produced before it is sent, and as taken when the consumer has it. When
%% the time is over the consumer only counts what was left. Producers have the first counters, then
%% comes what was taken.
-record(load, {work, producers, counters, over, acknowledged}).

-define(EACH, 100).

run(Args) ->
    Producers = lab:count(producers, Args, 8),
    Work = lab:count(work, Args, 20) * 1000,
    Seconds = lab:count(seconds, Args, 10),
    Load = #load{work = Work,
                 producers = Producers,
                 counters = counters:new(Producers + 1, [write_concurrency]),
                 over = atomics:new(1, []),
                 acknowledged = maps:get(runtime, Args) =:= 'erlang-ack'},
    Self = self(),
    Start = lab:ns(),
    Consumer = spawn_link(fun() -> consumer(Load, 0, 0, 0, 0) end),
    Pids = [spawn_link(fun() -> producer(Load, Number, Consumer, 0), Self ! {ended, self()} end)
            || Number <- lists:seq(1, Producers)],
    receive after Seconds * 1000 -> ok end,
    atomics:put(Load#load.over, 1, 1),
    Elapsed = lab:ns() - Start,
    [receive {ended, Pid} -> ok after 60_000 -> lab:fail("a producer does not end", []) end
     || Pid <- Pids],
    Produced = produced(Load),
    settle(Load, Produced, lab:ns() + 60_000_000_000),
    receive after 50 -> ok end, % one too many would come now
    Consumer ! {account, Self},
    {Consumed, Queued, Longest} = receive {account, Account} -> Account end,
    Consumed + Queued =:= Produced orelse
        lab:fail("the consumer has taken ~b messages instead of ~b", [Consumed + Queued, Produced]),
    Alone = lists:max([alone(Work) || _ <- lists:seq(1, 5)]), % at best: others may disturb it
    Together = Consumed * 1.0e9 / Elapsed,
    [{consumed_percent, 100 * Together / Alone},
     {longest_queue, Longest},
     {produced, Produced},
     {consumed, Consumed},
     {refused, 0},
     {still_queued, Queued},
     {consumed_per_second, Together},
     {alone_per_second, Alone}].

producer(#load{counters = Counters, over = Over} = Load, Number, Consumer, Sent) ->
    case atomics:get(Over, 1) of
        1 -> ok;
        0 ->
            counters:add(Counters, Number, 1),
            case Load#load.acknowledged andalso (Sent + 1) rem ?EACH =:= 0 of
                false -> Consumer ! {number, Sent};
                true ->
                    Consumer ! {number, Sent, self()},
                    receive taken -> ok end
            end,
            producer(Load, Number, Consumer, Sent + 1)
    end.

consumer(Load, Taken, Consumed, Queued, Longest) ->
    receive
        {number, _} -> take(Load, Taken, Consumed, Queued, Longest);
        {number, _, From} ->
            From ! taken,
            take(Load, Taken, Consumed, Queued, Longest);
        {account, From} -> From ! {account, {Consumed, Queued, Longest}}
    end.

take(#load{over = Over} = Load, Taken, Consumed, Queued, Longest) ->
    Now = case Taken rem 16 of
        0 -> max(Longest, produced(Load) - Taken);
        _ -> Longest
    end,
    case atomics:get(Over, 1) of
        0 ->
            work(lab:ns() + Load#load.work),
            taken(Load),
            consumer(Load, Taken + 1, Consumed + 1, Queued, Now);
        1 ->
            taken(Load),
            consumer(Load, Taken + 1, Consumed, Queued + 1, Now)
    end.

taken(#load{counters = Counters, producers = Producers}) ->
    counters:add(Counters, Producers + 1, 1).

produced(#load{counters = Counters, producers = Producers}) ->
    lists:sum([counters:get(Counters, Number) || Number <- lists:seq(1, Producers)]).

settle(#load{counters = Counters, producers = Producers} = Load, Produced, Limit) ->
    case counters:get(Counters, Producers + 1) < Produced andalso lab:ns() < Limit of
        true ->
            receive after 1 -> ok end,
            settle(Load, Produced, Limit);
        false -> ok
    end.

work(End) ->
    case lab:ns() < End of
        true -> work(End);
        false -> ok
    end.

alone(Work) ->
    Start = lab:ns(),
    alone(Work, Start, Start + 200_000_000, 0).

alone(Work, Start, End, Times) ->
    case lab:ns() of
        Now when Now >= End -> Times * 1.0e9 / (Now - Start);
        Now ->
            work(Now + Work),
            alone(Work, Start, End, Times + 1)
    end.
