// How a call of a fast molecule ends: answer, error, time-out, cancellation, no answer.

import ChemActors

// snippet.define
struct SoldOut: Error {}

let (restock, buy, ask) = Join.define("shop") { join in
    let item = join.slow("item", of: String.self)
    let buy = join.fast("buy", of: Int.self, returning: String.self)
    let ask = join.fast("ask", returning: String.self)

    join.answer(buy, with: item) { price, item in
        guard price >= 10 else { throw SoldOut() }
        return item
    }
    join.when(ask) { reply in
        // Forgets to answer.
    }

    return (item, buy, ask)
}
// snippet.end

// snippet.answer
restock("apple")
print(try await buy(10))  // apple
// snippet.end

// snippet.error
restock("pear")
do {
    print(try await buy(1))
} catch is SoldOut {
    print("the error of the body")
}
// snippet.end

// snippet.timeout
do {
    print(try await buy(10, within: .milliseconds(20)))
} catch let error as CallError where error.code == .timedOut {
    print(error)
    // The call of 'shop.buy' timed out before a reaction answered it: buy & item lacks item.
}
// snippet.end

// snippet.cancellation
let customer = Task { try await buy(10) }
customer.cancel()
do {
    print(try await customer.value)
} catch is CancellationError {
    print("withdrawn: the next item is still there for others")
}
// snippet.end

// snippet.unanswered
do {
    print(try await ask())
} catch let error as CallError where error.code == .unanswered {
    print(error)  // The reaction that took the call of 'shop.ask' ended without answering it: ask (…
}
// snippet.end
