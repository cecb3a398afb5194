import ChemActors
import ChemLibrary

// Recipes that pass values on, with a mistake.

extension Mutants {
    static let flows = [
        mutant(
            "a pipeline whose stages take whatever comes",
            Trial.flowing { work in
                let (results, left) = (JoinChannel<Int>.unbounded(), Trial.Count())
                return (
                    { number in
                        left.add()
                        Task {
                            try? await results.send(work(number) + 1)
                            left.add(-1)
                        }
                    },
                    {
                        while left.value > 0 { await Task.yield() }
                        results.close()
                    }, { try await results.receive() }
                )
            }
        ),
        mutant(
            "a debounce that lets the first value pass",
            Trial.settling { target in
                let debounce = Debounce(for: .milliseconds(100), to: target)
                let isFirst = Trial.Count()
                return { value in
                    if isFirst.enter() == 1 { target(value) } else { debounce.send(value) }
                }
            }
        ),
        mutant(
            "a throttle that drops what comes too early",
            Trial.throttling { target in
                let throttle = Throttle(every: .milliseconds(100), keeping: .first, to: target)
                return { throttle.send($0) }
            }
        ),
    ]
}
