// More molecules beside a state than there are parameters.

import ChemActors

// snippet.show
let (cup, water, beans, milk, sold, definition) = Join.define("café") { join in
    let cup = join.slow("cup")
    let water = join.slow("water", of: Int.self)
    let beans = join.slow("beans", of: String.self)
    let milk = join.slow("milk", of: Bool.self)
    let sold = join.state("sold", [String]())

    // Four molecules as one input: its value is a tuple.
    join.when(join.all(cup, water, beans, milk), updating: sold) { sold, parts in
        let (_, water, beans, isWithMilk) = parts
        sold.append("\(water) ml on \(beans)\(isWithMilk ? ", with milk" : "")")
    }
    return (cup, water, beans, milk, sold.reader, join.definition)
}

cup()
water(150)
beans("arabica")
milk(true)
try await definition.quiescence()
print(sold.value)  // ["150 ml on arabica, with milk"]
// snippet.hide
precondition(sold.value == ["150 ml on arabica, with milk"])

// The same for `answer`, whose other inputs follow `with:`.
let (order, add) = Join.define("bar") { join in
    let order = join.fast("order", of: String.self, returning: String.self)
    let parts = ["gin", "tonic", "ice"].map { join.slow($0, of: Int.self) }
    let count = join.state("count", 0)
    join.answer(order, with: join.all(parts[0], parts[1], parts[2]), updating: count) { count, name, parts in
        count += 1
        return "\(count): \(parts.0 + parts.1 + parts.2) for \(name)"
    }
    return (order, parts)
}
for molecule in add { molecule(2) }
let answer = try await order("Ada")
precondition(answer == "1: 6 for Ada")
