%% Strings go through three stages, each of which replaces one word.
-module(lab_pipeline).
-export([run/1]).

run(Args) ->
    Items = lab:count(items, Args, 1_000_000),
    Spawn = lab:spawner(Args),
    {Cold, Warm} = lab:repeat(fun() -> pipeline(Items, Spawn) end),
    [{wall_seconds, Warm / 1.0e9},
     {wall_seconds_cold, Cold / 1.0e9},
     {completed, Items}].

pipeline(Items, Spawn) ->
    Self = self(),
    Start = lab:ns(),
    Writer = Spawn(fun() -> writer(0, Self) end),
    Indexer = Spawn(fun() -> stage(<<"Downloaded">>, <<"Indexed">>, Writer) end),
    Downloader = Spawn(fun() -> stage(<<"Requested">>, <<"Downloaded">>, Indexer) end),
    request(0, Items, Downloader),
    receive
        {wrote, Items} -> lab:ns() - Start;
        {wrote, Count} -> lab:fail("~b strings arrived instead of ~b", [Count, Items]);
        {wrong, Text} -> lab:fail("the last stage wrote \"~ts\"", [Text])
    end.

request(Items, Items, Downloader) ->
    Downloader ! stop;
request(I, Items, Downloader) ->
    Downloader ! <<"Requested ", (integer_to_binary(I))/binary>>,
    request(I + 1, Items, Downloader).

stage(Word, By, Next) ->
    receive
        stop ->
            Next ! stop;
        Text ->
            Next ! binary:replace(Text, Word, By),
            stage(Word, By, Next)
    end.

writer(Count, Parent) ->
    receive
        stop ->
            Parent ! {wrote, Count};
        Text ->
            case binary:replace(Text, <<"Indexed">>, <<"Wrote">>) of
                <<"Wrote ", I/binary>> ->
                    case binary_to_integer(I) of
                        Count -> writer(Count + 1, Parent);
                        _ -> Parent ! {wrong, Text}
                    end;
                Wrong ->
                    Parent ! {wrong, Wrong}
            end
    end.
