// A molecule that is split by its values. Shown in "Reactions that look at values".

// snippet.show
import ChemActors

enum Message: Sendable {
    case text(String)
    case number(Int)
    case bye
}

let (message, log) = Join.define("talk") { join in
    let message = join.slow("message", of: Message.self, order: .oldestFirst)
    let text = join.part("text", of: message) { message in
        if case .text(let text) = message { text } else { nil }
    }
    let number = join.part("number", of: message) { message in
        if case .number(let number) = message { number } else { nil }
    }
    let said = join.state("said", [String]())
    let log = join.fast("log", of: Int.self, returning: [String].self)

    join.when(text, updating: said) { said, text in said.append(text) }
    join.when(number, number, updating: said) { said, a, b in said.append("\(a) + \(b) = \(a + b)") }
    join.when(message, updating: said) { said, _ in said.append("the end") }  // what no part takes
    join.answer(log, updating: said, amount: \.self, atMost: \.count) { said, _ in said }

    return (message, log)
}

message(.number(1))
message(.number(2))
print(try await log(1))  // ["1 + 2 = 3"]
message(.bye)
print(try await log(2).last ?? "")  // the end
// snippet.end
if CommandLine.arguments.contains("--picture") { print(ChemicalMachine.shared.drawings[0].numberingReactions().svg) }
