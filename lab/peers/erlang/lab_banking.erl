%% A teller has accounts transfer money; an account does nothing else while it waits for the other.
-module(lab_banking).
-export([run/1]).

-define(OPENING_BALANCE, 1_000_000).

run(Args) ->
    Accounts = lab:at_least(2, accounts, Args, 1000),
    Transactions = lab:count(transactions, Args, 50_000),
    Spawn = lab:spawner(Args),
    lab_savina:measure(transactions, Transactions, fun() ->
        teller(Accounts, Transactions, Spawn)
    end).

teller(Accounts, Transactions, Spawn) ->
    Pids = [Spawn(fun() -> account(?OPENING_BALANCE, 0, 0) end) || _ <- lists:seq(1, Accounts)],
    start(Transactions, list_to_tuple(Pids), 1),
    await(Transactions),
    [Pid ! {close, self()} || Pid <- Pids],
    {Money, Debits, Credits} = lists:foldl(
        fun(_, {Money, Debits, Credits}) ->
            receive {closed, M, D, C} -> {Money + M, Debits + D, Credits + C} end
        end, {0, 0, 0}, Pids),
    Money =:= Accounts * ?OPENING_BALANCE orelse
        lab:fail("the accounts hold ~b instead of ~b", [Money, Accounts * ?OPENING_BALANCE]),
    Debits =:= Credits orelse lab:fail("there are ~b debits and ~b credits", [Debits, Credits]),
    Debits.

%% Money goes to an account with a higher number, as in Savina, so that no two accounts ever wait
%% for each other.
start(0, _, _) -> ok;
start(Left, Accounts, Random) ->
    Size = tuple_size(Accounts),
    {From, Random1} = lab_savina:below(Size * 8 div 10, Random),
    {Further, Random2} = lab_savina:below(Size - From - 1, Random1),
    {Amount, Random3} = lab_savina:below(1000, Random2),
    To = From + 1 + Further,
    element(From + 1, Accounts) ! {transfer, self(), Amount, element(To + 1, Accounts)},
    start(Left - 1, Accounts, Random3).

await(0) -> ok;
await(Left) -> receive transferred -> await(Left - 1) end.

account(Balance, Debits, Credits) ->
    receive
        {transfer, Teller, Amount, To} ->
            credit(To, Amount),
            Teller ! transferred,
            account(Balance - Amount, Debits + 1, Credits);
        {credit, From, Reference, Amount} ->
            From ! {credited, Reference},
            account(Balance + Amount, Debits, Credits + 1);
        {close, Teller} ->
            Teller ! {closed, Balance, Debits, Credits}
    end.

%% The reference is new, so that the wait need not look through what came before it was made.
credit(To, Amount) ->
    Reference = make_ref(),
    To ! {credit, self(), Reference, Amount},
    receive {credited, Reference} -> ok end.
