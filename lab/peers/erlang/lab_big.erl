%% Every process pings others at random, one after the other, and answers the pings that it gets.
-module(lab_big).
-export([run/1]).

run(Args) ->
    Messages = lab:count(messages, Args, 20_000),
    Actors = lab:at_least(2, actors, Args, 120),
    Spawn = lab:spawner(Args),
    lab_savina:measure(messages, Messages * Actors, fun() -> sink(Messages, Actors, Spawn) end).

%% Ends the processes when all have had their pongs, and adds up what each counted.
sink(Messages, Actors, Spawn) ->
    Self = self(),
    Pids = [Spawn(fun() -> actor(Number, Messages, Self) end) || Number <- lists:seq(1, Actors)],
    [Pid ! {start, Pids} || Pid <- Pids],
    [receive done -> ok end || _ <- Pids],
    [Pid ! stop || Pid <- Pids],
    lists:sum([receive {pongs, Pongs} -> Pongs end || _ <- Pids]).

actor(Number, Messages, Sink) ->
    receive
        {start, Pids} ->
            Others = list_to_tuple(lists:delete(self(), Pids)),
            ping(Others, Number, Messages, 0, Sink)
    end.

ping(Others, Random, Messages, Pongs, Sink) ->
    {Index, Next} = lab_savina:below(tuple_size(Others), Random),
    element(Index + 1, Others) ! {ping, self()},
    loop(Others, Next, Messages, Pongs, Sink).

loop(Others, Random, Messages, Pongs, Sink) ->
    receive
        {ping, From} ->
            From ! pong,
            loop(Others, Random, Messages, Pongs, Sink);
        pong when Pongs + 1 =:= Messages ->
            Sink ! done,
            loop(Others, Random, Messages, Pongs + 1, Sink);
        pong ->
            ping(Others, Random, Messages, Pongs + 1, Sink);
        stop ->
            Sink ! {pongs, Pongs}
    end.
