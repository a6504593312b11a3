%% What the programs of the Savina suite share.
-module(lab_savina).
-export([measure/3, below/2, compute/1, work/2]).

-define(MODULUS, 16#7fffffff).

%% Times whole runs, from the first process to the end of the last, and checks what each counted.
-spec measure(atom(), non_neg_integer(), fun(() -> non_neg_integer())) -> lab:metrics().
measure(Metric, Expected, Run) ->
    {Cold, Warm} = lab:repeat(fun() ->
        Start = lab:ns(),
        Count = Run(),
        Nanos = lab:ns() - Start,
        Count =:= Expected orelse
            lab:fail("a run counted ~s=~b instead of ~b", [Metric, Count, Expected]),
        Nanos
    end),
    [{ms, Warm / 1.0e6}, {ms_cold, Cold / 1.0e6}, {Metric, Expected}].

%% A number from 0 to N - 1, and the next state of the generator, which is the minimal standard
%% one of Park and Miller: small enough to cost next to nothing, and alike in every language.
-spec below(pos_integer(), State :: pos_integer()) -> {non_neg_integer(), pos_integer()}.
below(N, State) ->
    Next = State * 48271 rem ?MODULUS,
    {Next rem N, Next}.

%% The computation of the fork-join programs; its result is above 0.
-spec compute(float()) -> float().
compute(Theta) ->
    Sine = math:sin(Theta),
    Sine * Sine.

%% The work that an item is to its producer and to its consumer: as in Savina, so many hundreds of
%% logarithms are added to what there was before.
-spec work(pos_integer(), float()) -> float().
work(Cost, Value) ->
    work(Cost * 100, Cost, Value).

work(0, _, Value) -> Value;
work(Left, Random, Value) ->
    Next = Random * 48271 rem ?MODULUS,
    work(Left - 1, Next, Value + math:log(Next / ?MODULUS + 0.01)).
