%% The calls of LayersPeersBenchmark, in Erlang. Reads lines such as `gen_server 100000` from standard
%% input; makes so many calls from one process to another, one after the other; and prints a line.
-module(selvage_layers).
-export([main/0]).
-export([init/1, handle_call/3, handle_cast/2, callback_mode/0, handle_event/4]).

main() ->
    Bare = spawn_link(fun() -> answer(0) end),
    {ok, Server} = gen_server:start_link(?MODULE, server, []),
    {ok, Machine} = gen_statem:start_link(?MODULE, machine, []),
    Calls = #{
        "bare" => fun(N) -> bare(Bare, N) end,
        "gen_server" => fun(N) -> gen_server:call(Server, {ask, N}, infinity) end,
        "gen_server_timeout" => fun(N) -> gen_server:call(Server, {ask, N}, 5000) end,
        "gen_statem" => fun(N) -> gen_statem:call(Machine, {ask, N}, infinity) end
    },
    Main = self(),
    Asker = spawn_link(fun() -> asker(Main) end),
    serve(Asker, Calls).

serve(Asker, Calls) ->
    case io:get_line("") of
        eof ->
            halt();
        Line ->
            [What, Rounds] = string:lexemes(Line, " \n"),
            Asker ! {ask, maps:get(What, Calls), list_to_integer(Rounds)},
            receive done -> io:put_chars("done\n") end,
            serve(Asker, Calls)
    end.

asker(Main) ->
    receive {ask, Call, Rounds} -> ask(Call, Rounds) end,
    Main ! done,
    asker(Main).

ask(_, 0) ->
    ok;
ask(Call, N) ->
    Next = N + 1,
    Next = Call(N),
    ask(Call, N - 1).

%% What gen does for a call, by hand: the end of the other would be told.
bare(To, N) ->
    Ref = erlang:monitor(process, To, [{alias, reply_demonitor}]),
    To ! {ask, Ref, N},
    receive
        {Ref, Reply} -> Reply;
        {'DOWN', Ref, process, _, Reason} -> exit(Reason)
    end.

answer(Count) ->
    receive {ask, Ref, N} -> Ref ! {Ref, N + 1} end,
    answer(Count + 1).

init(server) -> {ok, 0};
init(machine) -> {ok, answering, 0}.

handle_call({ask, N}, _From, Count) -> {reply, N + 1, Count + 1}.

handle_cast(_, Count) -> {noreply, Count}.

callback_mode() -> handle_event_function.

handle_event({call, From}, {ask, N}, answering, Count) ->
    {keep_state, Count + 1, [{reply, From, N + 1}]}.
