%% A producer sends increments to a counter, then asks for its value.
-module(lab_counting).
-export([run/1]).

run(Args) ->
    Messages = lab:count(messages, Args, 1_000_000),
    Spawn = lab:spawner(Args),
    lab_savina:measure(messages, Messages, fun() ->
        produce(Messages, Spawn(fun() -> counter(0) end))
    end).

produce(0, Counter) ->
    Counter ! {retrieve, self()},
    receive {value, Value} -> Value end;
produce(Left, Counter) ->
    Counter ! increment,
    produce(Left - 1, Counter).

counter(Value) ->
    receive
        increment -> counter(Value + 1);
        {retrieve, From} -> From ! {value, Value}
    end.
