import ChemLibrary

struct Forms: Mall {
    let a = MallInput(1)
    let b = MallInput(2)
    let counter = MallInput(0)
    let sum = MallOutput(0)
    let quotient = MallOutput(0)
    let remainder = MallOutput(0)
    let product = MallOutput(0)
    let even = MallOutput<Int?>()
    let shown = MallOutput("")
    let recent = ValuesCache<Int>(limit: 2)

    func prepareDataOpsGraph() -> [DataOp] {
        // snippet.words
        op {
            Trigger(a)
            Reads(b)

            add

            OutputNode(sum)
        }
        // snippet.end
        // snippet.outputs
        op {
            a>!
            b>?
            divide  // returns (Int, Int)
            ~>quotient
            ~>remainder
        }
        // snippet.end
        // snippet.zip
        op {
            a>%
            b>%
            compute { (a: Int, b: Int) in a * b }
            ~>product
        }
        // snippet.end
        // snippet.possible
        op {
            a>!
            compute { (a: Int) -> PossibleResult<Int> in a % 2 == 0 ? .value(a) : .stop }
            ~>even
        }
        // snippet.end
        // snippet.cycle
        op {
            counter>!
            compute { (n: Int) in (n < 10, n + 1) }  // a filter: it stops at 10
            ~>counter
        }
        // snippet.end
        // snippet.async
        op {
            sum>!
            show  // on the main actor: the wave waits for it, no thread does
            ~>shown
        }
        // snippet.end
        // snippet.cache
        op {
            a>!
            compute { (a: Int) in a }
            ~>recent
        }
        op {
            a>!
            compute { (a: Int) in print(a) }
            ~>devNull
        }
        // snippet.end
    }
}

@Sendable func add(_ a: Int, _ b: Int) -> Int { a + b }
@Sendable func divide(_ a: Int, _ b: Int) -> (Int, Int) { (a / b, a % b) }
@MainActor func show(_ number: Int) -> String { "= \(number)" }

let forms = Forms()
let graph = forms.open(history: 100)
try await forms.b.sendAndWait(4)
for number in 5...7 { try await forms.a.sendAndWait(number) }
precondition(forms.sum.value == 11 && forms.shown.value == "= 11")
precondition(forms.quotient.value == 1 && forms.remainder.value == 3)
precondition(forms.product.value == 20)
precondition(forms.even.value == 6)
precondition(forms.recent.cached == [6, 7])

let counter = forms.counter
try await counter.sendAndWait(0)
precondition(graph.statistics.waves == 4 + 11)

// snippet.values
let values = forms.sum.values  // subscribes now
forms.a.send(10)
forms.a.send(20)
for await sum in values.prefix(3) { print(sum) }  // 11, 14, 24
// snippet.end
precondition(forms.recent.cached == [10, 20])

// snippet.transaction
try await graph.transactionAndWait {
    forms.a.send(3)
    forms.b.send(5)
}  // one wave
// snippet.end
precondition(forms.sum.value == 8)

// snippet.restore
let before = FlowTime.now
try await forms.b.sendAndWait(7)
try await forms.a.sendAndWait(4)
try await graph.restore(at: before)  // opened with `history: 100`
print(forms.sum.value)  // 8
// snippet.end
precondition(forms.sum.value == 8)

// snippet.sink
let sink = forms.sum.sink { print($0) }  // 8, and each one from now on
forms.a.send(6)
// snippet.end
try await graph.quiescence()
precondition(forms.sum.value == 11)
sink.cancel()
