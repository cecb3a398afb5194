/// The works, in the order of the page, and the reasons for what was found.
package enum Catalogue {
    package struct Work: Sendable {
        /// As the programs take it.
        package let name: String
        package let title: String
        /// Sentences: what is done, and what an operation is.
        let what: String
        let remarks: [Remark]
        /// Which way stands for a language in the picture and the table, where it isn't the fastest one.
        var representatives: [Language: String] = [:]
    }

    package static let works = counters + pairs + jobs + meetings + lives

    private static let counters = [
        Work(
            name: "counter-1",
            title: "counter, one injector",
            what: """
                One task increments a counter without waiting for it, then reads it and checks the sum. An operation \
                is \
                an increment. Of Swift's actor each increment is awaited, since there is no other way to send one.
                """,
            remarks: [
                .ahead(
                    .init(.go, "mutex"),
                    of: .init(.chem),
                    because: "an uncontended lock is two atomic instructions in the caller's own thread. "
                        + "ChemActors stores a molecule and starts a reaction for each increment."
                ),
                .ahead(
                    .init(.chem),
                    of: .init(.go, "channel"),
                    because: "there is no second party that would have to be scheduled; a state is changed where it "
                        + "lies. Go's owner waits in a `select` over two channels, which locks both."
                ),
                .ahead(
                    .init(.chem),
                    of: .init(.erlang),
                    because: "Erlang allocates each message and schedules the process that receives it."
                ),
            ]
        ),
        Work(
            name: "counter-8",
            title: "counter, eight injectors",
            what: "The same with eight tasks that increment at once.",
            remarks: [
                .ahead(
                    .init(.go, "mutex"),
                    of: .init(.chem),
                    because: "the lock is held for one addition, and whoever finds it taken spins for a moment."
                ),
                .ahead(
                    .init(.chem),
                    of: .init(.swift, "AsyncStream"),
                    because: "a stream resumes the task that iterates it, and stores each element under a lock."
                ),
            ]
        ),
        Work(
            name: "call",
            title: "call",
            what: "A task asks a server for an answer, one question after the other. An operation is a question.",
            remarks: [
                .compare(
                    .init(.chem),
                    with: .init(.swift, "actor"),
                    "both run what was asked for in the task of the caller, when nobody else is there."
                ),
                .ahead(
                    .init(.chem),
                    of: .init(.go),
                    because: "the answer of an idle definition is computed by the caller. A goroutine that serves has "
                        + "to be switched to, and back: two times through Go's scheduler."
                ),
            ]
        ),
    ]

    private static let pairs = [
        Work(
            name: "pairs",
            title: "pairs from two injectors",
            what: """
                Two producers send numbers of two kinds; one of each kind are consumed together, and added up. An \
                operation is a pair.
                """,
            remarks: [
                .ahead(
                    .init(.go, "mutex"),
                    of: .init(.chem),
                    because: "two arrays behind a lock are all that this one pairing needs, and the lock is held for a "
                        + "few instructions. ChemActors keeps its molecules in a way that works for any set of "
                        + "reactions."
                ),
                .compare(
                    .init(.chem),
                    with: .init(.go, "channel"),
                    "Go's consumer takes from one channel, then from the other. That works because all of one kind are "
                        + "alike and this is the only consumer; with a second reaction on the same message it would "
                        + "not."
                ),
                .ahead(
                    .init(.chem),
                    of: .init(.swift, "AsyncChannel"),
                    because: "each send and each receive of a channel suspends a task that has to be resumed."
                ),
            ]
        ),
        Work(
            name: "pairs-waiting",
            title: "pairs after a million waiting",
            what: """
                All messages of the first kind are there before the first of the second comes: a million of them, and \
                200,000 in a stream. An operation is a pair, with the sending of both messages.
                """,
            remarks: [
                .ahead(
                    .init(.go),
                    of: .init(.chem),
                    because: "a million numbers in an array, or in a channel that was made with room for them, are "
                        + "taken one after the other. ChemActors, too, takes no longer for a pair the more "
                        + "molecules wait "
                        + "([rows `bag/1e3` to `bag/1e6`](benchmarks.md)), but each costs it more to begin with."
                ),
                .ahead(
                    .init(.chem),
                    of: .init(.erlang),
                    because: "a process that may have to keep a million messages copies them while its heap grows."
                ),
            ]
        ),
    ]

    private static let jobs = [
        Work(
            name: "mapreduce",
            title: "map and reduce 100,000",
            what: """
                Each of 100,000 numbers is squared by a job of its own, and the squares are added up. An operation \
                is a \
                number. In each of these languages a loop over chunks would be faster; the work stands for jobs that \
                come one by one.
                """,
            remarks: [
                .ahead(
                    .init(.chem),
                    of: .init(.go),
                    because: "a reaction with a synchronous body is a function call of a worker. A goroutine needs "
                        + "a stack, "
                        + "an Erlang process a heap, a child of a task group an allocation and a place in a queue."
                ),
                .ahead(
                    .init(.go),
                    of: .init(.swift),
                    because: "a goroutine is made from a free list of its processor, and sends without waking "
                        + "anybody; a "
                        + "task group takes each result under a lock."
                ),
            ]
        ),
        Work(
            name: "philosophers",
            title: "philosophers",
            what: """
                Five philosophers eat with five forks; an operation is a meal. With locks and channels they take the \
                forks in the order of their numbers, so that there is no deadlock. In Erlang a process, in Swift an \
                actor \
                hands out both at once, and a reaction of ChemActors takes both or none.
                """,
            remarks: [
                .ahead(
                    .init(.go, "mutex"),
                    of: .init(.chem),
                    because: "taking two free locks is four atomic instructions, and a philosopher eats many times "
                        + "before "
                        + "another gets to run."
                ),
                .compare(
                    .init(.chem),
                    with: .init(.go, "channel"),
                    "a channel with room for one is a lock and a flag; ChemActors puts back and takes three molecules "
                        + "in one step."
                ),
                .ahead(
                    .init(.chem),
                    of: .init(.swift, "actor"),
                    because: "a philosopher who has to wait is a suspended task there, a molecule here."
                ),
            ]
        ),
        Work(
            name: "ring",
            title: "ring of 503",
            what: """
                A number is passed around a ring of 503 stations, one less at each hop, until it is zero. An \
                operation is \
                a hop: nothing happens at the same time.
                """,
            remarks: [
                .ahead(
                    .init(.go),
                    of: .init(.chem),
                    because: "a goroutine that sends to one that waits puts it next in the queue of its own "
                        + "processor, and "
                        + "blocks: a switch of stacks, with no thread in between. Here each hop is a molecule, and "
                        + "a worker "
                        + "that goes to another definition."
                ),
                .ahead(
                    .init(.chem),
                    of: .init(.swift),
                    because: "a hop is no task that is resumed by the executor."
                ),
            ]
        ),
    ]
}
