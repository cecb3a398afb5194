%% Five philosophers at a table, a process that hands out both forks at once.
-module(field_philosophers).
-export([dine/1]).

-define(SEATS, 5).

dine(Count) ->
    Self = self(),
    Share = Count div ?SEATS,
    Start = field_clock:start(),
    Table = spawn_link(fun() -> table((1 bsl ?SEATS) - 1, []) end),
    [
        spawn_link(fun() -> Self ! {meals, philosopher(Share, forks(Seat), Table, 0)} end)
     || Seat <- lists:seq(0, ?SEATS - 1)
    ],
    Meals = lists:sum([
        receive
            {meals, Eaten} -> Eaten
        end
     || _ <- lists:seq(1, ?SEATS)
    ]),
    Time = field_clock:since(Start),
    Table ! stop,
    {Share * ?SEATS, Time, "the meals", Meals, Share * ?SEATS}.

%% The two forks of a seat, as bits.
forks(Seat) -> (1 bsl Seat) bor (1 bsl ((Seat + 1) rem ?SEATS)).

philosopher(0, _, _, Eaten) -> Eaten;
philosopher(Left, Forks, Table, Eaten) ->
    Table ! {hungry, self(), Forks},
    receive
        eat -> ok
    end,
    Table ! {full, Forks},
    philosopher(Left - 1, Forks, Table, Eaten + 1).

%% Free are the forks on the table; those who wait are in the order in which they came.
table(Free, Waiting) ->
    receive
        {hungry, Who, Forks} when Free band Forks =:= Forks ->
            Who ! eat,
            table(Free band bnot Forks, Waiting);
        {hungry, Who, Forks} ->
            table(Free, Waiting ++ [{Who, Forks}]);
        {full, Forks} ->
            serve(Waiting, Free bor Forks, []);
        stop ->
            ok
    end.

serve([], Free, Kept) -> table(Free, lists:reverse(Kept));
serve([{Who, Forks} | Rest], Free, Kept) when Free band Forks =:= Forks ->
    Who ! eat,
    serve(Rest, Free band bnot Forks, Kept);
serve([One | Rest], Free, Kept) -> serve(Rest, Free, [One | Kept]).
