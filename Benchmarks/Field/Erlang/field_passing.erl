%% From one process to another.
-module(field_passing).
-export([ring/1, meet/1, mailbox/1, acknowledged/1]).

-define(LENGTH, 503).

%% A ring of processes that pass a number on, one less at each hop.
ring(Count) ->
    Self = self(),
    Ring = [spawn_link(fun() -> member(Index, Self) end) || Index <- lists:seq(0, ?LENGTH - 1)],
    First = hd(Ring),
    [Member ! {next, Next} || {Member, Next} <- lists:zip(Ring, tl(Ring) ++ [First])],
    Start = field_clock:start(),
    First ! Count,
    Last =
        receive
            {last, Index} -> Index
        end,
    Time = field_clock:since(Start),
    [Member ! stop || Member <- Ring],
    {Count, Time, "the last member", Last, Count rem ?LENGTH}.

member(Index, End) ->
    receive
        {next, Next} -> member(Index, End, Next)
    end.

member(Index, End, Next) ->
    receive
        0 ->
            End ! {last, Index},
            member(Index, End, Next);
        Number when is_integer(Number) ->
            Next ! Number - 1,
            member(Index, End, Next);
        stop ->
            ok
    end.

%% A process at which two others meet: it waits for both and gives each the number of the other.
meet(Count) ->
    Self = self(),
    Start = field_clock:start(),
    Place = spawn_link(fun place/0),
    spawn_link(fun() -> Self ! {sum, visit(0, Count, left, 1, Place, 0)} end),
    spawn_link(fun() -> Self ! {sum, visit(0, Count, right, 2, Place, 0)} end),
    [One, Other] = [
        receive
            {sum, Sum} -> Sum
        end
     || _ <- [one, other]
    ],
    Time = field_clock:since(Start),
    Place ! stop,
    {Count, Time, "what both got", One + Other, 3 * field_clock:triangle(Count)}.

place() ->
    receive
        {left, Left, LeftReference, X} ->
            receive
                {right, Right, RightReference, Y} ->
                    Left ! {LeftReference, Y},
                    Right ! {RightReference, X},
                    place()
            end;
        stop ->
            ok
    end.

visit(Count, Count, _, _, _, Sum) -> Sum;
visit(Number, Count, Side, Factor, Place, Sum) ->
    Reference = make_ref(),
    Place ! {Side, self(), Reference, Factor * Number},
    receive
        {Reference, Other} -> visit(Number + 1, Count, Side, Factor, Place, Sum + Other)
    end.

%% One process sends, this one receives. A mailbox has no bound.
mailbox(Count) ->
    Self = self(),
    Start = field_clock:start(),
    spawn_link(fun() -> send(0, Count, Self) end),
    Sum = add(Count, 0),
    {Count, field_clock:since(Start), "the sum of the elements", Sum, field_clock:triangle(Count)}.

send(Count, Count, _) -> ok;
send(Number, Count, Receiver) ->
    Receiver ! {number, Number},
    send(Number + 1, Count, Receiver).

add(0, Sum) -> Sum;
add(Left, Sum) ->
    receive
        {number, Number} -> add(Left - 1, Sum + Number)
    end.

%% The sender waits until each number has been received.
acknowledged(Count) ->
    Self = self(),
    Start = field_clock:start(),
    spawn_link(fun() -> send_acknowledged(0, Count, Self) end),
    Sum = add_acknowledged(Count, 0),
    {Count, field_clock:since(Start), "the sum of the elements", Sum, field_clock:triangle(Count)}.

send_acknowledged(Count, Count, _) -> ok;
send_acknowledged(Number, Count, Receiver) ->
    Reference = make_ref(),
    Receiver ! {number, Number, self(), Reference},
    receive
        Reference -> send_acknowledged(Number + 1, Count, Receiver)
    end.

add_acknowledged(0, Sum) -> Sum;
add_acknowledged(Left, Sum) ->
    receive
        {number, Number, Sender, Reference} ->
            Sender ! Reference,
            add_acknowledged(Left - 1, Sum + Number)
    end.
