%% Counts its questions, adds to a number, or asks another server.
-module(field_server).
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2]).

init(counting) -> {ok, {counting, 0}};
init(State) -> {ok, State}.

handle_call(_, _, {counting, Asked}) -> {reply, Asked + 1, {counting, Asked + 1}};
handle_call(Number, _, {adding, More} = State) -> {reply, Number + More, State};
handle_call(Number, _, {asking, Inner} = State) -> {reply, gen_server:call(Inner, Number), State}.

handle_cast(_, State) -> {noreply, State}.
