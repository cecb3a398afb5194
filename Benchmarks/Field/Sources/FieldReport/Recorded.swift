/// Figures of other join systems, measured once and elsewhere.
enum Recorded {
    private static let rows: [(work: String, jocaml: String, chymyst: String, lockBased: String, lockFree: String)] = [
        ("counter, one injector", "77", "15,400", "57,800", "43,800"),
        ("the same, synchronous", "–", "–", "103", "1,170"),
        ("counter, eight injectors", "75", "12,700", "7,930 (synchronous)", "1,270 (synchronous)"),
        ("fast call", "151", "14,400", "102", "1,130"),
        ("pairs from two injectors", "10,200", "856", "42,600", "42,900"),
        ("the same, synchronous", "–", "–", "443", "718"),
        ("pairs after a million waiting", "8,990", "1,180", "105 (synchronous)", "1,080 (synchronous)"),
        ("map and reduce 100,000", "19,100", "14,500", "–", "–"),
        ("philosophers, a meal", "604", "11,200", "359 (synchronous)", "1,920 (synchronous)"),
        ("ring of 503, a hop", "285", "–", "–", "–"),
    ]

    static var section: String {
        let table = rows.map {
            "| \($0.work) | \($0.jocaml) | \($0.chymyst) | \($0.lockBased) | \($0.lockFree) |"
        }
        return """
            ## Other join systems, recorded

            **These figures are not from this run, and can't be repeated from this repository**: the programs that were measured \
            aren't in it, nor is their output. They were measured once, on another machine of the same kind (2 vCPU), 2026-11-21, \
            on both cores. Nanoseconds for each operation, the median of five repetitions after a warm-up. The works are those of \
            this page in their main lines, written for each system. What was measured:

            - JoCaml 4.01, the branch [jo401](https://github.com/ocaml/ocaml/tree/jo401) of ocaml/ocaml; which commit of it, \
            isn't recorded.
            - Chymyst-core at commit [1ab885f](https://github.com/Chymyst/chymyst-core/tree/1ab885f), on Scala 2.12 and JDK 17.
            - C# joins: ScalableJoins at commit [c2561d6](https://github.com/JoinPatterns/ScalableJoins/tree/c2561d6), with its \
            lock-based and its lock-free implementation, on Mono 6.8, which may be slower than .NET.

            | Work | JoCaml | Chymyst | C# joins, with a lock | C# joins, lock-free |
            |---|--:|--:|--:|--:|
            \(table.joined(separator: "\n"))

            JoCaml runs one thread at a time, so its eight injectors never contend. A message of the C# joins is either \
            asynchronous, and then its reaction needs a thread, or the caller waits: “synchronous”.
            """
    }
}
