import Testing

@testable import ChemExamples

/// A check that can't fail says nothing: here each ledger is told a history that must not happen, and has to notice.
@Suite("Ledgers")
struct LedgerTests {
    /// The statements that don't hold after these events.
    private func failures<Book: Ledger>(_ ledger: Book, _ events: [Book.Event]) -> [String] {
        var ledger = ledger
        for event in events { ledger.record(event) }
        return ledger.checks.filter { !$0.holds }.map(\.statement)
    }

    private func expectFailure<Book: Ledger>(
        _ part: String,
        _ ledger: Book,
        _ events: [Book.Event],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let failures = failures(ledger, events)
        #expect(failures.contains { $0.contains(part) }, "\(failures)", sourceLocation: sourceLocation)
    }

    @Test func anInvariantThatNobodyLooksAtDoesNotHold() {
        var invariant = Invariant("it is so")
        #expect(!invariant.check.holds)
        invariant.look(nil)
        #expect(invariant.check == Check("it is so (1 looks)", holds: true))
        invariant.look("it was not")
        invariant.look("nor then")
        #expect(!invariant.check.holds)
        #expect(invariant.check.statement == "it is so: violated in 2 of 3 looks, first: it was not")
    }

    @Test func checksCompare() {
        #expect(Check("n", 3, is: 3) == Check("n: 3", holds: true))
        #expect(Check("n", 2, is: 3) == Check("n: 2, expected 3", holds: false))
        #expect(Check("n", 3, isAtLeast: 3).holds)
        #expect(!Check("n", 2, isAtLeast: 3).holds)
    }

    @Test func philosophers() {
        let ledger = DinnerLedger(philosophers: 4, goal: 1)
        let rounds = [("DA", "AB"), ("AB", "BC"), ("BC", "CD"), ("CD", "DA")].enumerated().flatMap {
            [DinnerLedger.Event.took($0, [$1.0, $1.1]), .putBack($0, [$1.0, $1.1])]
        }
        #expect(failures(ledger, rounds) == [])
        expectFailure("neighbours never eat together", ledger, [.took(0, ["DA", "AB"]), .took(1, ["AB", "BC"])])
        expectFailure("neighbours never eat together", ledger, [.took(0, ["DA", "AB"]), .took(3, ["CD", "DA"])])
        expectFailure("forks in use + free = 4", ledger, [.took(0, ["DA", "AB"]), .took(2, ["AB", "CD"])])
        expectFailure("forks in use + free = 4", ledger, [.took(0, ["DA", "XY"])])
        expectFailure("forks are taken", ledger, [.putBack(0, ["DA", "AB"])])
        expectFailure("the fewest meals", ledger, Array(rounds.dropLast(2)))
    }

    @Test func smokers() {
        let ledger = SmokersLedger(rounds: 1)
        #expect(failures(ledger, [.offered([.tobacco, .paper]), .smoked(.matches)]) == [])
        expectFailure("who smokes", ledger, [.offered([.tobacco, .paper]), .smoked(.paper)])
        expectFailure("the agent waits", ledger, [.offered([.tobacco, .paper]), .offered([.paper, .matches])])
        expectFailure("rounds", ledger, [.offered([.tobacco, .paper])])
    }

    @Test func savages() {
        let ledger = SavagesLedger(capacity: 1, batches: 1)
        #expect(failures(ledger, [.ate(0), .cooked(1), .ate(1)]) == [])
        expectFailure("nobody eats", ledger, [.ate(0), .ate(1), .cooked(1)])
        expectFailure("the cook fills", ledger, [.cooked(1), .ate(0), .ate(1)])
        expectFailure("eaten: 1", ledger, [.ate(0), .cooked(1)])
        expectFailure("added: 0", ledger, [.ate(0)])
    }

    @Test func water() {
        let ledger = WaterLedger(molecules: 1)
        let told = [WaterLedger.Event.told(molecule: 1, isOxygen: false), .told(molecule: 1, isOxygen: true)]
        #expect(failures(ledger, [.bonded(hydrogen: [1, 2], oxygen: 0), told[0]] + told) == [])
        expectFailure("an atom bonds once", ledger, [.bonded(hydrogen: [1, 1], oxygen: 0)])
        expectFailure(
            "an atom bonds once",
            ledger,
            [.bonded(hydrogen: [1, 2], oxygen: 0), .bonded(hydrogen: [3, 4], oxygen: 0)]
        )
        expectFailure("no more than two atoms", ledger, [told[1], told[1]])
        expectFailure("of which all three atoms know: 0", ledger, told)
    }

    @Test func santa() {
        let ledger = SantaLedger(years: 1)
        let team = Array(1...9)
        #expect(failures(ledger, [.helped([1, 2, 3]), .teamWaits, .delivered(team)]) == [])
        expectFailure("no elf is helped", ledger, [.teamWaits, .helped([1, 2, 3]), .delivered(team)])
        expectFailure("three different elves", ledger, [.helped([1, 2, 2])])
        expectFailure("three different elves", ledger, [.helped([1, 2])])
        expectFailure("nine different reindeer", ledger, [.teamWaits, .delivered(Array(1...8) + [8])])
        expectFailure("years: 0", ledger, [.helped([1, 2, 3])])
    }

    @Test func mailOrders() {
        let ledger = MailOrdersLedger()
        let sent = MailOrdersLedger.Event.sent(1, price: 5, paid: 5)
        #expect(failures(ledger, [sent, .cancelled(2), .paidBack(2, amount: 5)]) == [])
        expectFailure("the payment of its number", ledger, [.sent(1, price: 5, paid: 6)])
        expectFailure("sent or cancelled, once", ledger, [sent, sent])
        expectFailure("sent or cancelled, once", ledger, [sent, .cancelled(1)])
        expectFailure("sent or cancelled, once", ledger, [.cancelled(1), sent])
        expectFailure("is paid back, once", ledger, [.paidBack(1, amount: 5)])
        expectFailure("is paid back, once", ledger, [.cancelled(1), .paidBack(1, amount: 5), .paidBack(1, amount: 5)])
    }

    @Test func boundedBuffer() {
        let ledger = BufferLedger(capacity: 1)
        let took = BufferLedger.Event.took(producer: 1, number: 1, count: 0)
        #expect(failures(ledger, [.put(count: 1), took]) == [])
        expectFailure("0 to capacity", ledger, [.put(count: 1), .put(count: 2)])
        expectFailure("0 to capacity", ledger, [took])
        expectFailure("0 to capacity", ledger, [.put(count: 0)])
        expectFailure("comes in that order", ledger, [.put(count: 1), .took(producer: 1, number: 2, count: 0)])
        expectFailure("comes in that order", ledger, [.put(count: 1), took, .put(count: 1), took])
        expectFailure("items that are left: 1", ledger, [.put(count: 1)])
    }

    @Test func account() {
        let ledger = AccountLedger()
        #expect(failures(ledger, [.deposited(3), .withdrawn(2, left: 1)]) == [])
        expectFailure("never below 0", ledger, [.deposited(3), .withdrawn(4, left: -1)])
        expectFailure("never below 0", ledger, [.deposited(3), .withdrawn(2, left: 3)])
    }

    @Test func barber() {
        let ledger = BarberLedger(chairs: 1)
        #expect(failures(ledger, [.satDown(1), .turnedAway(2), .begun(1), .done(1)]) == [])
        expectFailure("no more than 1 wait", ledger, [.satDown(1), .satDown(2)])
        expectFailure("who is turned away", ledger, [.turnedAway(1)])
        expectFailure("in the order", ledger, [.satDown(1), .satDown(2), .begun(2)])
        expectFailure("one customer's hair", ledger, [.satDown(1), .begun(1), .satDown(2), .begun(2)])
        expectFailure("one customer's hair", ledger, [.done(1)])
        expectFailure("nobody waits any more", ledger, [.satDown(1)])
    }

    @Test func childCare() {
        let ledger = ChildCareLedger()
        #expect(failures(ledger, [.adultCame, .childCame, .childLeft, .adultLeft]) == [])
        expectFailure("an adult for every three", ledger, [.childCame])
        expectFailure("an adult for every three", ledger, [.adultCame, .childCame, .childCame, .childCame, .childCame])
        expectFailure("an adult for every three", ledger, [.adultCame, .childCame, .adultLeft])
        expectFailure("children that are left: 1", ledger, [.adultCame, .childCame])
    }

    @Test func river() {
        let ledger = RiverLedger(passengers: 4)
        let arrivals = (0..<4).map { RiverLedger.Event.arrived(boat: 1, isHacker: $0 < 2, rows: $0 == 0) }
        #expect(failures(ledger, [.boarded(hackers: 2, serfs: 2)] + arrivals) == [])
        expectFailure("never three against one", ledger, [.boarded(hackers: 3, serfs: 1)])
        expectFailure("never three against one", ledger, [.boarded(hackers: 4, serfs: 4)])
        expectFailure("with one rower: 0", ledger, Array(arrivals.dropFirst()) + [arrivals[1]])
        expectFailure("boats: 2", ledger, [.boarded(hackers: 4, serfs: 0), .boarded(hackers: 4, serfs: 0)])
    }

    @Test func rollerCoaster() {
        let ledger = RollerCoasterLedger(rides: 1)
        let (load, unload) = ([1, 2, 3, 4], [5, 6, 7, 8])
        #expect(failures(ledger, [.loaded(car: 0, ride: 1, load), .unloaded(car: 0, ride: 1, load)]) == [])
        expectFailure("a car is empty", ledger, [.loaded(car: 0, ride: 1, [1, 2, 3])])
        expectFailure("a car is empty", ledger, [.loaded(car: 0, ride: 1, load), .loaded(car: 0, ride: 2, unload)])
        expectFailure("nobody sits in two", ledger, [.loaded(car: 0, ride: 1, [1, 1, 2, 3])])
        expectFailure(
            "nobody sits in two",
            ledger,
            [.loaded(car: 0, ride: 1, load), .loaded(car: 1, ride: 2, [4, 5, 6, 7])]
        )
        expectFailure(
            "in the order",
            ledger,
            [.loaded(car: 0, ride: 1, load), .loaded(car: 1, ride: 2, unload), .unloaded(car: 1, ride: 2, unload)]
        )
        expectFailure("rides: 0", ledger, [.loaded(car: 0, ride: 1, load)])
    }

    @Test func bathroom() {
        let ledger = BathroomLedger(stalls: 1)
        #expect(failures(ledger, [.entered(0, 1), .left(0, 1), .entered(1, 1), .left(1, 1)]) == [])
        expectFailure("never inside together", ledger, [.entered(0, 1), .entered(1, 1)])
        expectFailure("no more than 1", ledger, [.entered(0, 1), .entered(0, 2)])
        expectFailure("who enters was outside", ledger, [.entered(0, 1), .entered(0, 1)])
        expectFailure("who enters was outside", ledger, [.left(0, 1)])
        expectFailure("inside at the end: 1", ledger, [.entered(0, 1)])
    }

    @Test func sushiBar() {
        let ledger = SushiLedger(seats: 2)
        #expect(failures(ledger, [.satDown(1), .satDown(2), .left(1), .left(2), .satDown(3), .left(3)]) == [])
        expectFailure("nobody joins a party", ledger, [.satDown(1), .satDown(2), .left(1), .satDown(3)])
        expectFailure("no more than 2", ledger, [.satDown(1), .satDown(2), .satDown(3)])
        expectFailure("who leaves was sitting", ledger, [.left(1)])
        expectFailure("customers at the end: 1", ledger, [.satDown(1)])
    }

    @Test func primes() {
        #expect(failures(PrimeLedger(), [2, 3, 5]) == [])
        expectFailure("in ascending order", PrimeLedger(), [2, 5, 3])
        #expect(PrimeSieve.plainly(upTo: 30) == [2, 3, 5, 7, 11, 13, 17, 19, 23, 29])
    }

    @Test func life() {
        let world = Life.World(width: 3, height: 3, cells: Array(repeating: false, count: 9))
        let ledger = LifeLedger(world, generations: 1)
        func reports(_ isAlive: Bool, generation: Int = 1) -> [LifeLedger.Report] {
            (0..<9).map {
                LifeLedger.Report(index: $0, cell: Life.Cell(generation: generation, isAlive: isAlive && $0 == 4))
            }
        }
        #expect(failures(ledger, reports(false)) == [])
        expectFailure("as in a plain implementation", ledger, reports(true))
        expectFailure("as in a plain implementation", ledger, reports(false, generation: 2))
        expectFailure("generations of all 9 cells: 0", ledger, Array(reports(false).dropLast()))
        expectFailure("follow each other", ledger, reports(false) + reports(false))
    }
}
