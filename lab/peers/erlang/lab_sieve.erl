%% Numbers go through a pipeline of filters, each of which holds some of the primes found so far.
-module(lab_sieve).
-export([run/1]).

run(Args) ->
    Limit = lab:at_least(2, limit, Args, 100_000),
    Most = lab:count(primes, Args, 1000),
    Spawn = lab:spawner(Args),
    lab_savina:measure(primes, primes(Limit), fun() ->
        Self = self(),
        First = Spawn(fun() -> filter([2], 1, Most, none, Spawn, Self) end),
        produce(3, Limit, First),
        receive {primes, Count} -> Count end
    end).

produce(N, Limit, First) when N > Limit -> First ! {stop, 0};
produce(N, Limit, First) ->
    First ! {candidate, N},
    produce(N + 2, Limit, First).

%% The primes are in ascending order, since most numbers have a small divisor.
filter(Primes, Size, Most, Next, Spawn, Parent) ->
    receive
        {candidate, N} ->
            case has_divisor(N, Primes) of
                true ->
                    filter(Primes, Size, Most, Next, Spawn, Parent);
                false when Size < Most ->
                    filter(Primes ++ [N], Size + 1, Most, Next, Spawn, Parent);
                false when Next =:= none ->
                    New = Spawn(fun() -> filter([N], 1, Most, none, Spawn, Parent) end),
                    filter(Primes, Size, Most, New, Spawn, Parent);
                false ->
                    Next ! {candidate, N},
                    filter(Primes, Size, Most, Next, Spawn, Parent)
            end;
        {stop, Before} when Next =:= none ->
            Parent ! {primes, Before + Size};
        {stop, Before} ->
            Next ! {stop, Before + Size}
    end.

has_divisor(_, []) -> false;
has_divisor(N, [Prime | _]) when N rem Prime =:= 0 -> true;
has_divisor(N, [_ | Primes]) -> has_divisor(N, Primes).

%% How many primes there are up to a limit, by trial division: what the pipeline must find.
primes(Limit) ->
    length([N || N <- lists:seq(2, Limit), is_prime(N, 2)]).

is_prime(N, Divisor) when Divisor * Divisor > N -> true;
is_prime(N, Divisor) -> N rem Divisor =/= 0 andalso is_prime(N, Divisor + 1).
