// A molecule with one part for each case of an enumeration. Shown in "Reactions that look at values".

// snippet.show
import ChemActors

enum Status: CaseIterable {
    case open, paid
}

struct Bill: Sendable {
    let number: Int
    let status: Status
}

let (bill, next) = Join.define("bills") { join in
    let bill = join.slow("bill", of: Bill.self)
    let bills = join.parts(of: bill, by: \.status)
    let letter = join.slow("letter", of: String.self, order: .oldestFirst)
    let next = join.fast("next letter", returning: String.self)

    join.when(bills[.open]) { bill in letter("please pay \(bill.number)") }
    join.when(bills[.paid]) { bill in letter("thank you for \(bill.number)") }
    join.answer(next, with: letter) { _, text in text }

    return (bill, next)
}

bill(Bill(number: 1, status: .paid))
print(try await next())  // thank you for 1
bill(Bill(number: 2, status: .open))
print(try await next())  // please pay 2
// snippet.hide
bill(Bill(number: 3, status: .paid))
let last = try await next()
precondition(last == "thank you for 3")
