// A condition over two inputs. Shown in "Reactions that look at values".

// snippet.show
import ChemActors

let (driver, rider, ride) = Join.define("rides") { join in
    let driver = join.slow("driver", of: Int.self)
    let rider = join.slow("rider", of: Int.self)
    let meeting = join.slow("meeting", of: String.self)
    let ride = join.fast("ride", returning: String.self)

    join.when(driver, rider, where: { abs($0 - $1) < 10 }) { driver, rider in
        meeting("the driver at \(driver) takes the rider at \(rider)")
    }
    join.answer(ride, with: meeting) { _, text in text }

    return (driver, rider, ride)
}

driver(0)
driver(100)
rider(95)
print(try await ride())  // the driver at 100 takes the rider at 95
// snippet.end
if CommandLine.arguments.contains("--picture") { print(ChemicalMachine.shared.drawings[0].numberingReactions().svg) }
