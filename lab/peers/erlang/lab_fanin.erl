%% Many processes send to one, which counts and sums.
-module(lab_fanin).
-export([run/1]).

run(Args) ->
    Senders = lab:count(senders, Args, 1000),
    Each = lab:count(messages, Args, 1000),
    Spawn = lab:spawner(Args),
    {Cold, Warm} = lab:repeat(fun() -> fanin(Senders, Each, Spawn) end),
    Messages = Senders * Each,
    [{messages_per_second, Messages * 1.0e9 / Warm},
     {messages_per_second_cold, Messages * 1.0e9 / Cold},
     {messages, Messages}].

fanin(Senders, Each, Spawn) ->
    Self = self(),
    Messages = Senders * Each,
    Receiver = Spawn(fun() -> Self ! {received, receiver(Messages, 0)} end),
    Pids = [Spawn(fun() -> receive start -> send(Receiver, 0, Each) end end)
            || _ <- lists:seq(1, Senders)],
    Start = lab:ns(),
    [Pid ! start || Pid <- Pids],
    receive {received, Sum} -> ok end,
    Nanos = lab:ns() - Start,
    Expected = Senders * (Each * (Each - 1) div 2),
    Sum =:= Expected orelse lab:fail("the sum is ~b instead of ~b", [Sum, Expected]),
    Nanos.

send(_, Each, Each) -> ok;
send(Receiver, I, Each) ->
    Receiver ! {number, I},
    send(Receiver, I + 1, Each).

receiver(0, Sum) -> Sum;
receiver(Left, Sum) -> receive {number, I} -> receiver(Left - 1, Sum + I) end.
