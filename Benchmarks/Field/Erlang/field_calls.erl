%% Questions and answers.
-module(field_calls).
-export([call/1, ask/1, ask_through/1]).

%% A process that answers, and a caller that knows its answer by a reference.
call(Count) ->
    Server = spawn_link(fun answer/0),
    Start = field_clock:start(),
    Sum = call(0, Count, Server, 0),
    Time = field_clock:since(Start),
    Server ! stop,
    {Count, Time, "the sum of the answers", Sum, field_clock:triangle(Count) + 3 * Count}.

call(Count, Count, _, Sum) -> Sum;
call(Number, Count, Server, Sum) ->
    Reference = make_ref(),
    Server ! {self(), Reference, Number},
    receive
        {Reference, Answer} -> call(Number + 1, Count, Server, Sum + Answer)
    end.

answer() ->
    receive
        {Caller, Reference, Number} ->
            Caller ! {Reference, Number + 3},
            answer();
        stop ->
            ok
    end.

%% The server of the standard library.
ask(Count) ->
    {ok, Server} = gen_server:start_link(field_server, counting, []),
    Start = field_clock:start(),
    Sum = ask(0, Count, Server, 0),
    Time = field_clock:since(Start),
    gen_server:stop(Server),
    {Count, Time, "the sum of the answers", Sum, field_clock:triangle(Count + 1)}.

%% A server that asks another one before it answers.
ask_through(Count) ->
    {ok, Inner} = gen_server:start_link(field_server, {adding, 3}, []),
    {ok, Outer} = gen_server:start_link(field_server, {asking, Inner}, []),
    Start = field_clock:start(),
    Sum = ask(0, Count, Outer, 0),
    Time = field_clock:since(Start),
    gen_server:stop(Outer),
    gen_server:stop(Inner),
    {Count, Time, "the sum of the answers", Sum, field_clock:triangle(Count) + 3 * Count}.

ask(Count, Count, _, Sum) -> Sum;
ask(Number, Count, Server, Sum) -> ask(Number + 1, Count, Server, Sum + gen_server:call(Server, Number)).
