%% The smallest program: one process answers one question.
-module(lab_startup).
-export([run/1]).

run(Args) ->
    Spawn = lab:spawner(Args),
    Pid = Spawn(fun() -> receive {question, From, N} -> From ! {answer, N + 1} end end),
    Pid ! {question, self(), 41},
    receive
        {answer, 42} -> [{answers, 1}];
        {answer, N} -> lab:fail("the answer is ~b instead of 42", [N])
    end.
