import ChemActors

/// Merge sort by recursive definitions: each half is sorted by a chemistry of its own, and two sorted halves react.
///
///     sort(values, result) → two halves to be sorted, into left and right of a new definition
///     left(x) & right(y) → result(x and y merged)
///
/// The sorting of halves is a reaction, so halves are sorted concurrently.
enum MergeSort {
    /// What is to be sorted, and where the outcome goes.
    struct Task: Sendable {
        let values: [Int]
        let result: SlowMolecule<[Int]>
    }

    static func define() -> SlowMolecule<Task> {
        Join.define("sort") { join in
            let sort = join.slow("sort", of: Task.self)
            join.when(sort) { task in
                guard task.values.count > 1 else { return task.result(task.values) }
                let (left, right) = Join.define("merge") { join in
                    let left = join.slow("left", of: [Int].self)
                    let right = join.slow("right", of: [Int].self)
                    join.when(left, right) { x, y in task.result(merge(x, y)) }
                    return (left, right)
                }
                let middle = task.values.count / 2
                sort(Task(values: Array(task.values[..<middle]), result: left))
                sort(Task(values: Array(task.values[middle...]), result: right))
            }
            return sort
        }
    }

    static func merge(_ x: [Int], _ y: [Int]) -> [Int] {
        var merged: [Int] = []
        merged.reserveCapacity(x.count + y.count)
        var (i, j) = (0, 0)
        while i < x.count && j < y.count {
            if y[j] < x[i] {
                merged.append(y[j])
                j += 1
            } else {
                merged.append(x[i])
                i += 1
            }
        }
        merged += x[i...]
        merged += y[j...]
        return merged
    }
}

extension Gallery {
    static let mergeSort = Example(
        "mergesort",
        "merge sort by a tree of definitions: one long list, and many short ones at once",
        from: "CocoaJoin; Chymyst"
    ) { stage, _, _ in
        let sort = MergeSort.define()
        var numbers = SeededNumbers(seed: stage.seed)

        let long = (0..<stage.pick(full: 10_000, small: 200)).map { _ in Int.random(in: 0..<5000, using: &numbers) }
        let (result, value) = Collector<[Int]>.define()
        sort(MergeSort.Task(values: long, result: result))
        let sorted = try await value()
        let longCheck = Check("\(long.count) numbers are sorted", holds: sorted == long.sorted())

        let short = (0..<stage.pick(full: 2000, small: 50)).map { _ in
            (0..<5).map { _ in Int.random(in: 0..<10, using: &numbers) }
        }
        let collectors = short.map { _ in Collector<[Int]>.define() }
        for (values, collector) in zip(short, collectors) {
            sort(MergeSort.Task(values: values, result: collector.result))
        }
        var right = 0
        for (values, collector) in zip(short, collectors) {
            let sorted = try await collector.value()
            if sorted == values.sorted() { right += 1 }
        }
        return [longCheck, Check("sorted lists of 5", right, is: short.count)]
    }
}
