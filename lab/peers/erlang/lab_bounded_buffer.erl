%% Producers hand items to consumers through a buffer, which makes them wait while it is full.
-module(lab_bounded_buffer).
-export([run/1]).

%% What waits in the buffer: items, consumers without an item, producers with the item that has no
%% room. Consumers wait only if there are no items, producers only if the buffer is full.
-record(buffer, {size, room, producing, items = queue:new(), consumers = [],
                 producers = queue:new()}).

run(Args) ->
    Size = lab:count(buffer, Args, 50),
    Producers = lab:count(producers, Args, 40),
    Consumers = lab:count(consumers, Args, 40),
    Items = lab:count(items, Args, 1000),
    Cost = lab:count(cost, Args, 25),
    Spawn = lab:spawner(Args),
    lab_savina:measure(items, Producers * Items, fun() ->
        Self = self(),
        Buffer = Spawn(fun() ->
            buffer(#buffer{size = Size, room = Size, producing = Producers})
        end),
        [Spawn(fun() -> producer(Items, Cost, 0.0, Buffer) end)
         || _ <- lists:seq(1, Producers)],
        Pids = [Spawn(fun() -> consumer(Cost, Buffer, 0, 0, 0.0, Self) end)
                || _ <- lists:seq(1, Consumers)],
        Consumed = [receive {consumed, Count, Sum} -> {Count, Sum} end || _ <- Pids],
        Buffer ! stop,
        Expected = Producers * (Items * (Items + 1) div 2),
        case lists:sum([Sum || {_, Sum} <- Consumed]) of
            Expected -> lists:sum([Count || {Count, _} <- Consumed]);
            Wrong -> lab:fail("the sum of the items is ~b instead of ~b", [Wrong, Expected])
        end
    end).

producer(0, _, _, Buffer) -> Buffer ! finished;
producer(Number, Cost, Product, Buffer) ->
    New = lab_savina:work(Cost, Product),
    Buffer ! {put, self(), {Number, New}},
    receive produce -> producer(Number - 1, Cost, New, Buffer) end.

consumer(Cost, Buffer, Count, Sum, Used, Parent) ->
    Buffer ! {get, self()},
    receive
        {item, {Number, Product}} ->
            New = lab_savina:work(Cost, Used + Product),
            consumer(Cost, Buffer, Count + 1, Sum + Number, New, Parent);
        stop ->
            Parent ! {consumed, Count, Sum}
    end.

buffer(Buffer) ->
    receive
        {put, Producer, Item} -> buffer(put(Producer, Item, Buffer));
        {get, Consumer} -> buffer(get(Consumer, Buffer));
        finished -> buffer(finished(Buffer));
        stop -> ok
    end.

put(Producer, Item, #buffer{consumers = [Consumer | Rest]} = Buffer) ->
    Consumer ! {item, Item},
    Producer ! produce,
    Buffer#buffer{consumers = Rest};
put(Producer, Item, #buffer{room = 0, producers = Producers} = Buffer) ->
    Buffer#buffer{producers = queue:in({Producer, Item}, Producers)};
put(Producer, Item, #buffer{room = Room, items = Items} = Buffer) ->
    Producer ! produce,
    Buffer#buffer{room = Room - 1, items = queue:in(Item, Items)}.

get(Consumer, #buffer{size = Size, room = Size, producing = 0} = Buffer) ->
    Consumer ! stop,
    Buffer;
get(Consumer, #buffer{size = Size, room = Size, consumers = Consumers} = Buffer) ->
    Buffer#buffer{consumers = [Consumer | Consumers]};
get(Consumer, #buffer{room = Room, items = Items, producers = Producers} = Buffer) ->
    {{value, Item}, Others} = queue:out(Items),
    Consumer ! {item, Item},
    case queue:out(Producers) of
        {{value, {Producer, Next}}, Rest} ->
            Producer ! produce,
            Buffer#buffer{items = queue:in(Next, Others), producers = Rest};
        {empty, _} ->
            Buffer#buffer{room = Room + 1, items = Others}
    end.

finished(#buffer{producing = 1, consumers = Consumers} = Buffer) ->
    [Consumer ! stop || Consumer <- Consumers],
    Buffer#buffer{producing = 0, consumers = []};
finished(#buffer{producing = Producing} = Buffer) ->
    Buffer#buffer{producing = Producing - 1}.
