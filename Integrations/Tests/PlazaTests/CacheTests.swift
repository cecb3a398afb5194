import ChemActors
import Recipes
import Testing

@testable import Plaza

@Suite(.timeLimit(.minutes(20)))
struct CacheTests {
    private struct NoConnection: Error {}

    /// For many clients on a machine that is busy with other tests.
    private static var patient: Limits {
        var limits = Limits()
        limits.forecastWait = .seconds(600)
        return limits
    }

    @Test func oneLoadIsEnoughForAllWhoAsk() async throws {
        let (loads, gate) = (Count(), Latch(count: 1))
        let load: Plaza.WeatherSource = { city in
            loads.add()
            try await gate.wait()
            return Forecast(city: city, celsius: 20)
        }
        try await Served.run(limits: Self.patient, weather: load) { served in
            let clients = (1...50).map { _ in Task { try await served.ask("/weather/Lima") } }
            try await served.waitingCalls(50)
            gate.countDown()
            for client in clients {
                let answer = try await client.value
                #expect(answer.status == 200)
                #expect(try answer.decoded() == Forecast(city: "Lima", celsius: 20))
            }
            #expect(try await served.ask("/weather/Lima").status == 200)
            #expect(loads.value == 1)
        }
    }

    @Test func forecastsExpire() async throws {
        let (loads, time) = (Count(), ManualTime())
        let load: Plaza.WeatherSource = { city in Forecast(city: city, celsius: loads.add()) }
        try await Served.run(now: { time.now }, weather: load) { served in
            for celsius in 1...3 {
                for _ in 1...2 {
                    let forecast: Forecast = try await served.ask("/weather/Lima").decoded()
                    #expect(forecast.celsius == celsius)
                }
                time.advance(by: served.plaza.limits.forecastLifetime)
            }
        }
    }

    @Test func failuresAreNotKept() async throws {
        let loads = Count()
        let load: Plaza.WeatherSource = { city in
            if loads.add() == 1 { throw NoConnection() }
            return Forecast(city: city, celsius: 20)
        }
        try await Served.run(limits: Self.patient, weather: load) { served in
            let failure = try await served.ask("/weather/Lima")
            #expect(failure.status == 502)
            #expect(failure.error == "the weather of Lima isn't available: NoConnection()")
            #expect(try await served.ask("/weather/Lima").status == 200)
            #expect(loads.value == 2)
        }
    }

    @Test func whoIsCancelledDisturbsNobody() async throws {
        let (loads, gate) = (Count(), Latch(count: 1))
        let load: Plaza.WeatherSource = { city in
            loads.add()
            try await gate.wait()
            return Forecast(city: city, celsius: 20)
        }
        try await Served.run(limits: Self.patient, weather: load) { served in
            let first = Task { try await served.plaza.weather.find("Lima")?.value() }
            try await served.waitingCalls(1)
            let second = Task { try await served.ask("/weather/Lima") }
            try await served.waitingCalls(2)
            first.cancel()
            await #expect(throws: CancellationError.self) { try await first.value }
            gate.countDown()
            let answer = try await second.value
            #expect(answer.status == 200)
            #expect(loads.value == 1)
        }
    }

    @Test func aLoadThatTakesTooLongIsGivenUp() async throws {
        var limits = Limits()
        limits.forecastWait = .milliseconds(1)
        let gate = Latch(count: 1)
        let load: Plaza.WeatherSource = { city in
            try await gate.wait()
            return Forecast(city: city, celsius: 20)
        }
        try await Served.run(limits: limits, weather: load) { served in
            let answer = try await served.ask("/weather/Lima")
            #expect(answer.status == 504)
            #expect(answer.error == "the weather of Lima takes too long")
            gate.countDown()
        }
    }

    @Test func onlySoManyAreLoaded() async throws {
        var limits = Self.patient
        limits.forecasts = 2
        let gate = Latch(count: 1)
        let load: Plaza.WeatherSource = { city in
            try await gate.wait()
            return Forecast(city: city, celsius: 20)
        }
        try await Served.run(limits: limits, weather: load) { served in
            let first = ["Lima", "Oslo"].map { city in Task { try await served.ask("/weather/\(city)").status } }
            try await served.waitingCalls(2)
            let answer = try await served.ask("/weather/Rome")
            #expect(answer.status == 503)
            #expect(answer.error == "too many forecasts are being loaded")
            gate.countDown()
            for task in first {
                let status = try await task.value
                #expect(status == 200)
            }
            let late = try await served.ask("/weather/Rome")
            #expect(late.status == 200)
        }
    }

    @Test func aLoadThatNeverEndsGivesItsPlaceBack() async throws {
        var limits = Limits()
        limits.forecastLoad = .milliseconds(1)
        let load: Plaza.WeatherSource = { city in
            try await Task.sleep(for: .seconds(3600))
            return Forecast(city: city, celsius: 20)
        }
        try await Served.run(limits: limits, weather: load) { served in
            for _ in 1...2 {
                let answer = try await served.ask("/weather/Lima")
                #expect(answer.status == 502)
            }
        }
    }

    @Test func onlySoManyAreKept() async throws {
        var limits = Limits()
        limits.forecasts = 2
        let loads = Count()
        let load: Plaza.WeatherSource = { city in Forecast(city: city, celsius: loads.add()) }
        try await Served.run(limits: limits, weather: load) { served in
            for (city, celsius) in [("Lima", 1), ("Rome", 2), ("Oslo", 3), ("Oslo", 3), ("Rome", 2), ("Lima", 4)] {
                let forecast: Forecast = try await served.ask("/weather/\(city)").decoded()
                #expect(forecast.celsius == celsius)
            }
        }
    }
}
