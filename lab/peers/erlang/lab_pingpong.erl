%% Two processes send a counter to and fro.
-module(lab_pingpong).
-export([run/1]).

run(Args) ->
    Rounds = lab:count(rounds, Args, 1_000_000),
    Spawn = lab:spawner(Args),
    {Cold, Warm} = lab:repeat(fun() -> pingpong(Rounds, Spawn) end),
    [{ns_per_round, Warm / Rounds},
     {ns_per_round_cold, Cold / Rounds},
     {messages, 2 * Rounds}].

pingpong(Rounds, Spawn) ->
    Self = self(),
    Pong = Spawn(fun() -> pong(0) end),
    Ping = Spawn(fun() -> receive start -> Self ! {counted, ping(Pong, Rounds, 0)} end end),
    Start = lab:ns(),
    Ping ! start,
    receive {counted, Pings} -> ok end,
    Nanos = lab:ns() - Start,
    Pong ! {stop, Self},
    receive {counted_pongs, Pongs} -> ok end,
    {Rounds, Rounds} =:= {Pings, Pongs} orelse
        lab:fail("~b pings and ~b pongs arrived instead of ~b", [Pongs, Pings, Rounds]),
    Nanos.

ping(_, Rounds, Rounds) -> Rounds;
ping(Pong, Rounds, Count) ->
    Pong ! {ping, self(), Count},
    receive {pong, Count} -> ping(Pong, Rounds, Count + 1) end.

pong(Count) ->
    receive
        {ping, From, I} ->
            From ! {pong, I},
            pong(Count + 1);
        {stop, From} ->
            From ! {counted_pongs, Count}
    end.
