%% A process for each job.
-module(field_jobs).
-export([map_reduce/1, create/1]).

map_reduce(Count) ->
    Self = self(),
    Start = field_clock:start(),
    spawn_link(fun() -> [spawn(fun() -> Self ! {square, N * N} end) || N <- lists:seq(1, Count)] end),
    Sum = add(Count, square, 0),
    Wanted = Count * (Count + 1) * (2 * Count + 1) div 6,
    {Count, field_clock:since(Start), "the sum of squares", Sum, Wanted}.

add(0, _, Sum) -> Sum;
add(Left, Tag, Sum) ->
    receive
        {Tag, Number} -> add(Left - 1, Tag, Sum + Number)
    end.

%% As many are made at a time.
-define(CROWD, 10000).

create(Count) ->
    Start = field_clock:start(),
    {Sum, Wanted} = create(Count, 0, 0),
    {Count, field_clock:since(Start), "the sum", Sum, Wanted}.

create(Left, Sum, Wanted) when Left =< 0 -> {Sum, Wanted};
create(Left, Sum, Wanted) ->
    Size = min(Left, ?CROWD),
    create(Left - ?CROWD, Sum + crowd(Size), Wanted + field_clock:triangle(Size)).

%% Processes that pass their one message on to one that adds up.
crowd(Count) ->
    Self = self(),
    Total = spawn_link(fun() -> Self ! {sum, add(Count, number, 0)} end),
    Actors = [spawn(fun() -> pass_on(Total) end) || _ <- lists:seq(1, Count)],
    lists:foldl(
        fun(Actor, Number) ->
            Actor ! {number, Number},
            Number + 1
        end,
        0,
        Actors
    ),
    Sum =
        receive
            {sum, Found} -> Found
        end,
    [Actor ! stop || Actor <- Actors],
    Sum.

pass_on(Total) ->
    receive
        {number, _} = Message ->
            Total ! Message,
            pass_on(Total);
        stop ->
            ok
    end.
