%% What all works need.
-module(field_clock).
-export([start/0, since/1, triangle/1]).

start() -> erlang:monotonic_time(nanosecond).

since(Start) -> erlang:monotonic_time(nanosecond) - Start.

%% The sum of all numbers below Count.
triangle(Count) -> Count * (Count - 1) div 2.
