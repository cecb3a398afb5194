// Recursive definitions: a chemistry that makes chemistries.

import ChemActors

// snippet.show
/// Injects the sorted `values` into `sorted`.
@Sendable func mergeSort(_ values: [Int], into sorted: SlowMolecule<[Int]>) {
    if values.count <= 1 { return sorted(values) }
    let (left, right) = Join.define("merge") { join in
        let left = join.slow("left", of: [Int].self)
        let right = join.slow("right", of: [Int].self)
        join.when(left, right) { x, y in sorted(merge(x, y)) }
        return (left, right)
    }
    let middle = values.count / 2
    mergeSort(Array(values[..<middle]), into: left)
    mergeSort(Array(values[middle...]), into: right)
}

let (sort, result) = Join.define("sort") { join in
    let sort = join.slow("sort", of: [Int].self)
    let sorted = join.slow("sorted", of: [Int].self)
    let result = join.fast("result", returning: [Int].self)
    join.when(sort) { values in mergeSort(values, into: sorted) }
    join.answer(result, with: sorted) { _, values in values }
    return (sort, result)
}

sort([3, 1, 4, 1, 5, 9, 2, 6])
print(try await result())  // [1, 1, 2, 3, 4, 5, 6, 9]
// snippet.hide

sort(Array((0..<1000).reversed()))
let final = try await result()
precondition(final == Array(0..<1000))
if CommandLine.arguments.contains("--picture") { print(ChemicalMachine.shared.drawings[0].numberingReactions().svg) }

@Sendable func merge(_ x: [Int], _ y: [Int]) -> [Int] {
    var merged: [Int] = []
    merged.reserveCapacity(x.count + y.count)
    var (i, j) = (0, 0)
    while i < x.count, j < y.count {
        if x[i] <= y[j] {
            merged.append(x[i])
            i += 1
        } else {
            merged.append(y[j])
            j += 1
        }
    }
    return merged + x[i...] + y[j...]
}
