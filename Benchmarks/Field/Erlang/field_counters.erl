%% A process that owns a count.
-module(field_counters).
-export([count/2, define/1]).

start(Initial) -> spawn_link(fun() -> loop(Initial) end).

loop(Count) ->
    receive
        increment -> loop(Count + 1);
        {value, Caller, Reference} ->
            Caller ! {Reference, Count},
            loop(Count);
        stop -> ok
    end.

value(Counter) ->
    Reference = make_ref(),
    Counter ! {value, self(), Reference},
    receive
        {Reference, Value} -> Value
    end.

count(Injectors, Count) ->
    Counter = start(0),
    Share = Count div Injectors,
    Start = field_clock:start(),
    inject(Injectors, Share, Counter),
    Found = value(Counter),
    Time = field_clock:since(Start),
    Counter ! stop,
    {Share * Injectors, Time, "the count", Found, Share * Injectors}.

inject(1, Share, Counter) ->
    increment(Share, Counter);
inject(Injectors, Share, Counter) ->
    Tasks = [spawn_monitor(fun() -> increment(Share, Counter) end) || _ <- lists:seq(1, Injectors)],
    [
        receive
            {'DOWN', Monitor, process, Task, normal} -> ok
        end
     || {Task, Monitor} <- Tasks
    ].

increment(0, _) -> ok;
increment(Share, Counter) ->
    Counter ! increment,
    increment(Share - 1, Counter).

%% Counters that live for a moment.
define(Count) ->
    Start = field_clock:start(),
    Sum = define(Count, 0),
    {Count, field_clock:since(Start), "the sum of the values", Sum, 8 * Count}.

define(0, Sum) -> Sum;
define(Count, Sum) ->
    Counter = start(7),
    Counter ! increment,
    Value = value(Counter),
    Counter ! stop,
    define(Count - 1, Sum + Value).
