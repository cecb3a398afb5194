%% The works of the field report in Erlang. What it takes and prints: ../README.md.
-module(field).
-export([main/0]).

%% A work, the way in which it is done, and how many operations a repetition has, unless somebody asks for another
%% number. The function does them, and returns how many they were, the nanoseconds, what it found and what it wanted.
entries() ->
    [
        {"counter-1", "process", 1000000, fun(Count) -> field_counters:count(1, Count) end},
        {"counter-8", "process", 1000000, fun(Count) -> field_counters:count(8, Count) end},
        {"call", "process", 300000, fun field_calls:call/1},
        {"pairs", "process", 500000, fun field_pairs:from_two/1},
        {"pairs-waiting", "process", 1000000, fun field_pairs:after_waiting/1},
        {"mapreduce", "processes", 100000, fun field_jobs:map_reduce/1},
        {"philosophers", "table process", 200000, fun field_philosophers:dine/1},
        {"ring", "process", 500000, fun field_passing:ring/1},
        {"meeting", "process", 100000, fun field_passing:meet/1},
        {"channel-buffered", "mailbox, unbounded", 1000000, fun field_passing:mailbox/1},
        {"channel-unbuffered", "process, acknowledged", 300000, fun field_passing:acknowledged/1},
        {"define", "process", 100000, fun field_counters:define/1},
        {"create", "process", 100000, fun field_jobs:create/1},
        {"ask", "gen_server", 200000, fun field_calls:ask/1},
        {"ask-through", "gen_server", 100000, fun field_calls:ask_through/1}
    ].

main() ->
    Status =
        try
            run(init:get_plain_arguments())
        catch
            throw:{stop, Code, Message} ->
                io:format(standard_error, "field-erlang: ~ts~n", [Message]),
                Code
        end,
    halt(Status).

run(["list"]) ->
    [
        io:format("{\"work\": \"~s\", \"variant\": \"~s\", \"size\": ~w}~n", [Work, Variant, Size])
     || {Work, Variant, Size, _} <- entries()
    ],
    0;
run(["version"]) ->
    io:format("Erlang/OTP ~s (~s)~n", [erlang:system_info(otp_release), erlang:system_info(emu_flavor)]),
    0;
run([Work, Variant, Size, Repetitions]) ->
    case [Entry || Entry = {W, V, _, _} <- entries(), W =:= Work, V =:= Variant] of
        [{_, _, _, Fun}] -> measure(Work, Variant, Fun, number(Size), number(Repetitions));
        [] -> stop(2, io_lib:format("there is no ~s by ~s: see field-erlang list", [Work, Variant]))
    end;
run(_) ->
    stop(2, "usage: WORK VARIANT SIZE REPETITIONS, list, or version").

measure(Work, Variant, Fun, Size, Repetitions) ->
    %% Warms up.
    check(Work, Variant, once(Fun, Size)),
    lists:foreach(
        fun(_) ->
            {Operations, Time, What, Found, _} = Result = once(Fun, Size),
            check(Work, Variant, Result),
            io:format(
                "{\"work\": \"~s\", \"variant\": \"~s\", \"operations\": ~w, \"nanoseconds\": ~.2f, "
                "\"checked\": \"~s: ~w\"}~n",
                [Work, Variant, Operations, Time / Operations, What, Found]
            )
        end,
        lists:seq(1, Repetitions)
    ),
    0.

%% In a process of its own, so that the heap of an earlier repetition is not collected on the time of this one.
once(Fun, Size) ->
    {Worker, Monitor} = spawn_monitor(fun() -> exit({result, Fun(Size)}) end),
    receive
        {'DOWN', Monitor, process, Worker, {result, Result}} -> Result;
        {'DOWN', Monitor, process, Worker, Reason} -> stop(1, io_lib:format("failed: ~p", [Reason]))
    end.

check(_, _, {_, _, _, Same, Same}) -> ok;
check(Work, Variant, {_, _, What, Found, Wanted}) ->
    stop(1, io_lib:format("~s by ~s: ~s: ~w instead of ~w", [Work, Variant, What, Found, Wanted])).

number(Text) ->
    case string:to_integer(Text) of
        {Number, []} when is_integer(Number), Number >= 1 -> Number;
        _ -> stop(2, io_lib:format("'~ts' is not a whole number of at least 1", [Text]))
    end.

stop(Code, Message) -> throw({stop, Code, Message}).
