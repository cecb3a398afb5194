// Copies of one molecule, and one copy of each of several, as one input.

import ChemActors

// snippet.show
let (egg, slice, cheese, courses, ready, kitchen) = Join.define("kitchen") { join in
    let egg = join.slow("egg")
    let slice = join.slow("slice", of: String.self)
    let cheese = join.slow("cheese", of: String.self)
    let courses = ["soup", "main", "sweet"].map { join.slow($0, of: String.self) }
    let ready = join.state("ready", [String]())

    // Six copies of one molecule.
    join.when(6, of: egg, updating: ready) { ready, eggs in
        ready.append("a box of \(eggs.count)")
    }
    // Two copies of one, and one of another.
    join.when(join.copies(2, of: slice), cheese, updating: ready) { ready, slices, cheese in
        ready.append("\(cheese) between \(slices[0]) and \(slices[1])")
    }
    // One copy of each, in the order of the array.
    join.when(all: courses, updating: ready) { ready, dishes in
        ready.append(dishes.joined(separator: ", then "))
    }
    return (egg, slice, cheese, courses, ready.reader, join.definition)
}

egg.inject(contentsOf: repeatElement((), count: 12))
slice.inject(contentsOf: ["rye", "rye"])
cheese("Gouda")
for (course, dish) in zip(courses, ["broth", "stew", "cake"]) { course(dish) }
try await kitchen.quiescence()
print(ready.value.sorted())
// ["Gouda between rye and rye", "a box of 6", "a box of 6", "broth, then stew, then cake"]
// snippet.hide
precondition(
    ready.value.sorted()
        == ["Gouda between rye and rye", "a box of 6", "a box of 6", "broth, then stew, then cake"]
)
if CommandLine.arguments.contains("--picture") { print(kitchen.drawing.numberingReactions().svg) }
