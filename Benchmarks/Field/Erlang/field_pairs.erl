%% A process that takes messages of two kinds in pairs. What has no partner yet it keeps itself: a selective receive
%% would look through all that waits.
-module(field_pairs).
-export([from_two/1, after_waiting/1]).

from_two(Count) ->
    measure(Count, fun(Pairing) ->
        spawn_link(fun() -> send(Count, a, Pairing) end),
        spawn_link(fun() -> send(Count, b, Pairing) end)
    end).

after_waiting(Count) ->
    measure(Count, fun(Pairing) ->
        send(Count, a, Pairing),
        send(Count, b, Pairing)
    end).

measure(Count, Inject) ->
    Self = self(),
    Start = field_clock:start(),
    Pairing = spawn_link(fun() -> Self ! {sum, loop(Count, [], [], 0)} end),
    Inject(Pairing),
    receive
        {sum, Sum} -> {Count, field_clock:since(Start), "the sum over all pairs", Sum, Count * (Count + 1)}
    end.

loop(0, [], [], Sum) -> Sum;
loop(Left, As, Bs, Sum) ->
    receive
        {a, A} ->
            case Bs of
                [B | Rest] -> loop(Left - 1, As, Rest, Sum + A + B);
                [] -> loop(Left, [A | As], Bs, Sum)
            end;
        {b, B} ->
            case As of
                [A | Rest] -> loop(Left - 1, Rest, Bs, Sum + A + B);
                [] -> loop(Left, As, [B | Bs], Sum)
            end
    end.

send(0, _, _) -> ok;
send(Number, Kind, Pairing) ->
    Pairing ! {Kind, Number},
    send(Number - 1, Kind, Pairing).
