%% A tree of processes, ten children each; a leaf reports its number, the others a sum.
-module(lab_skynet).
-export([run/1]).

run(Args) ->
    Leaves = lab:count(leaves, Args, 1_000_000),
    Spawn = lab:spawner(Args),
    power_of_ten(Leaves) orelse
        throw({bad_argument, io_lib:format("leaves=~b is not a power of ten", [Leaves])}),
    {Cold, Warm} = lab:repeat(fun() -> skynet(Leaves, Spawn) end),
    [{ms, Warm / 1.0e6}, {ms_cold, Cold / 1.0e6}, {sum, Leaves * (Leaves - 1) div 2}].

power_of_ten(1) -> true;
power_of_ten(N) -> N rem 10 =:= 0 andalso power_of_ten(N div 10).

skynet(Leaves, Spawn) ->
    Self = self(),
    Start = lab:ns(),
    Spawn(fun() -> node(Self, 0, Leaves, Spawn) end),
    Sum = receive {sum, S} -> S end,
    Nanos = lab:ns() - Start,
    Expected = Leaves * (Leaves - 1) div 2,
    Sum =:= Expected orelse lab:fail("the sum is ~b instead of ~b", [Sum, Expected]),
    Nanos.

node(Parent, Number, 1, _) ->
    Parent ! {sum, Number};
node(Parent, Number, Leaves, Spawn) ->
    Self = self(),
    Each = Leaves div 10,
    [Spawn(fun() -> node(Self, Number + I * Each, Each, Spawn) end) || I <- lists:seq(0, 9)],
    Parent ! {sum, sum(10, 0)}.

sum(0, Sum) -> Sum;
sum(Left, Sum) -> receive {sum, S} -> sum(Left - 1, Sum + S) end.
