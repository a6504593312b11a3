%% A sender gives each of some processes the same number of messages, round robin.
-module(lab_fork_join_throughput).
-export([run/1]).

-define(THETA, 37.2).

run(Args) ->
    Messages = lab:count(messages, Args, 10_000),
    Actors = lab:count(actors, Args, 60),
    Spawn = lab:spawner(Args),
    lab_savina:measure(messages, Messages * Actors, fun() ->
        Self = self(),
        Actor = fun() ->
            %% What the documentation recommends where the queue may grow long.
            process_flag(message_queue_data, off_heap),
            actor(Messages, 0, Self)
        end,
        Pids = [Spawn(Actor) || _ <- lists:seq(1, Actors)],
        send(Messages, Pids),
        lists:sum([receive {computed, Count} -> Count end || _ <- Pids])
    end).

send(0, _) -> ok;
send(Left, Pids) ->
    [Pid ! {compute, ?THETA} || Pid <- Pids],
    send(Left - 1, Pids).

actor(0, Count, Parent) -> Parent ! {computed, Count};
actor(Left, Count, Parent) ->
    receive
        {compute, Theta} ->
            case lab_savina:compute(Theta) > 0 of
                true -> actor(Left - 1, Count + 1, Parent);
                false -> actor(Left - 1, Count, Parent)
            end
    end.
