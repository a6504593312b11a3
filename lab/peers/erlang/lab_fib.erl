%% Fibonacci's numbers by naive recursion, with a process for each call.
-module(lab_fib).
-export([run/1]).

run(Args) ->
    N = lab:count(n, Args, 25),
    Spawn = lab:spawner(Args),
    lab_savina:measure(value, fib(N, 0, 1), fun() ->
        Self = self(),
        Spawn(fun() -> call(Self, N, Spawn) end),
        answer()
    end).

call(Caller, N, _) when N =< 2 ->
    Caller ! {answer, 1};
call(Caller, N, Spawn) ->
    Self = self(),
    Spawn(fun() -> call(Self, N - 1, Spawn) end),
    Spawn(fun() -> call(Self, N - 2, Spawn) end),
    Caller ! {answer, answer() + answer()}.

answer() ->
    receive {answer, Value} -> Value end.

%% What the processes must find.
fib(0, Value, _) -> Value;
fib(N, Value, Next) -> fib(N - 1, Next, Value + Next).
