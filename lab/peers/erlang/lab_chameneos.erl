%% Creatures of three colours meet in a mall, two at a time, and take the complement's colour.
-module(lab_chameneos).
-export([run/1]).

run(Args) ->
    Meetings = lab:count(meetings, Args, 200_000),
    Creatures = lab:at_least(2, creatures, Args, 100),
    Spawn = lab:spawner(Args),
    lab_savina:measure(meetings, 2 * Meetings, fun() ->
        Mall = self(),
        [Spawn(fun() -> creature(Mall, colour(I rem 3), 0) end) || I <- lists:seq(1, Creatures)],
        mall(Meetings),
        stop(Creatures),
        lists:sum([receive {met, Count} -> Count end || _ <- lists:seq(1, Creatures)])
    end).

mall(0) -> ok;
mall(Left) ->
    {First, _} = arrival(),
    {Second, Colour} = arrival(),
    First ! {meet, Second, Colour},
    mall(Left - 1).

arrival() ->
    receive {arrived, Creature, Colour} -> {Creature, Colour} end.

stop(0) -> ok;
stop(Left) ->
    {Creature, _} = arrival(),
    Creature ! stop,
    stop(Left - 1).

%% Of two that meet, the one that came first finds the new colour and tells the other.
creature(Mall, Colour, Count) ->
    Mall ! {arrived, self(), Colour},
    receive
        {meet, Other, OtherColour} ->
            New = complement(Colour, OtherColour),
            Other ! {change, New},
            creature(Mall, New, Count + 1);
        {change, New} ->
            creature(Mall, New, Count + 1);
        stop ->
            Mall ! {met, Count}
    end.

colour(0) -> blue;
colour(1) -> red;
colour(2) -> yellow.

complement(Colour, Colour) -> Colour;
complement(blue, red) -> yellow;
complement(blue, yellow) -> red;
complement(red, blue) -> yellow;
complement(red, yellow) -> blue;
complement(yellow, blue) -> red;
complement(yellow, red) -> blue.
