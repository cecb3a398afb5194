extension Catalogue {
    static let meetings = [
        Work(
            name: "meeting",
            title: "meeting of two callers",
            what: """
                Two tasks exchange numbers: neither goes on before it has the other's. An operation is a meeting. In \
                Erlang they meet at a process that knows neither beforehand.
                """,
            remarks: [
                .ahead(
                    .init(.go),
                    of: .init(.chem),
                    because: "a goroutine that blocks is parked and made ready within one processor, by switching "
                        + "stacks. "
                        + "A Swift task that suspends goes through the executor, and two of them here for each meeting."
                ),
                .ahead(
                    .init(.swift, "Mutex and continuation"),
                    of: .init(.chem),
                    because: "a lock and one stored continuation are the least that two tasks need. A call of "
                        + "ChemActors "
                        + "can also be cancelled, can time out, and is told when nobody can answer any more."
                ),
            ]
        ),
        Work(
            name: "channel-buffered",
            title: "channel, buffered",
            what: """
                One task sends, one receives, through a channel with room for 1,024. An operation is an element. \
                `AsyncStream` and Erlang's mailbox have no bound at which the sender waits.
                """,
            remarks: [
                .ahead(
                    .init(.go),
                    of: .init(.chem),
                    because: "its channel is a ring buffer behind a lock, known to the compiler and the scheduler. A "
                        + "`JoinChannel` is a definition: an element is a molecule, and so is each free place."
                ),
                .ahead(
                    .init(.chem),
                    of: .init(.swift),
                    because: "the receiver takes what is there in its own task, without being resumed for each element."
                ),
            ]
        ),
        Work(
            name: "channel-unbuffered",
            title: "channel, unbuffered",
            what: """
                The same without room: the sender waits until its element has been received. An Erlang process has no \
                such channel; there the receiver acknowledges each message.
                """,
            remarks: [
                .ahead(
                    .init(.go),
                    of: .init(.chem),
                    because: "an element is copied from stack to stack, and the other goroutine is made ready on "
                        + "the same "
                        + "processor. Here two tasks suspend and are resumed."
                ),
                .compare(
                    .init(.chem),
                    with: .init(.swift),
                    "both suspend and resume tasks of the same executor."
                ),
            ]
        ),
    ]

    static let lives = [
        Work(
            name: "define",
            title: "make, use once, drop",
            what: """
                A counter is made, incremented once without waiting, asked for its value, and dropped. An operation is \
                such a life. It is a definition, an actor, a goroutine or a process; of a call that comes right \
                after an \
                injection, ChemActors does not promise that it comes second, so its answer may be 7 or 8, where the \
                others say 8.
                """,
            remarks: [
                .ahead(
                    .init(.swift, "actor"),
                    of: .init(.go),
                    because: "an actor is one allocation, its code is compiled in, and an idle one is entered by "
                        + "the caller."
                ),
                .ahead(
                    .init(.go),
                    of: .init(.chem),
                    because: "two channels and a small stack are little work. A definition checks its chemistry and "
                        + "lays out "
                        + "its molecules at run time."
                ),
            ]
        ),
        Work(
            name: "create",
            title: "10,000 mailbox actors",
            what: """
                10,000 actors are made, and each gets a message, which it passes on to one that adds up. An \
                operation is \
                an actor with its message. A Swift actor has no mailbox in this sense: its method is awaited. A plain \
                definition of ChemActors stands beside its `MailboxActor`.
                """,
            remarks: [
                .ahead(
                    .init(.go),
                    of: .init(.chem),
                    because: "a goroutine with its channel is two small allocations from free lists. A definition "
                        + "is made at "
                        + "run time, and its first molecule wakes a worker."
                ),
                .ahead(
                    .init(.chem, "definition"),
                    of: .init(.chem, "MailboxActor"),
                    because: "a mailbox actor also has a life cycle, supervision, statistics and a mailbox that can "
                        + "be bounded."
                ),
            ],
            representatives: [.chem: "MailboxActor"]
        ),
        Work(
            name: "ask",
            title: "ask a mailbox actor",
            what: """
                A question with a place for its answer is put into a mailbox; the actor replies. An operation is a \
                question. In Erlang it is a `gen_server`, with the checks of `gen_server:call`.
                """,
            remarks: [
                .ahead(
                    .init(.go),
                    of: .init(.chem),
                    because: "asker and actor are switched between on one processor. When this was measured, the "
                        + "asker of ours was suspended until the reaction had answered; now it runs the handler of an "
                        + "idle actor itself, in a detached task that begins on its thread. A question still is a "
                        + "molecule, a box and a task."
                ),
                .compare(
                    .init(.chem),
                    with: .init(.swift),
                    "in both, a task suspended and another one had to be resumed; a `MailboxActor` also notices when "
                        + "it ends without having answered."
                ),
            ]
        ),
        Work(
            name: "ask-through",
            title: "ask through another server",
            what: """
                The server that is asked calls another server before it answers. An operation is a question with both \
                answers.
                """,
            remarks: [
                .ahead(
                    .init(.swift),
                    of: .init(.chem),
                    because: "the caller's task enters the first idle actor, then the second one, and comes back."
                ),
                .compare(
                    .init(.go),
                    with: .init(.chem),
                    "Go switches goroutines four times. In ChemActors the outer call waits for an asynchronous body, "
                        + "while the inner one, of an idle definition, is answered on the spot."
                ),
            ]
        ),
    ]
}
