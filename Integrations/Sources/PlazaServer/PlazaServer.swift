import ChemActors
import ChemLogging
import ChemMetrics
import ChemServices
import Foundation
import Logging
import Plaza
import ServiceLifecycle
import UnixSignals

// snippet.main
@main
struct PlazaServer {
    static func main() async throws {
        let logger = Logger(label: "plaza")
        ChemicalMachine.bootstrap(
            ChemicalMachine.Configuration(
                reporter: ChemicalEvent.count(then: ChemicalEvent.log(to: logger)),
                patience: .seconds(90),  // longer than clients may wait
                recorder: .flight
            )
        )
        let plaza = Plaza(on: .shared, weatherSource: distantForecast) { number in
            let count = try await countPrimes(below: number)
            logger.info("\(count) primes below \(number)")
            return count
        }
        let port = port(CommandLine.arguments.dropFirst())
        let services: [ServiceGroupConfiguration.ServiceConfiguration] = [
            .init(service: MachineMetrics(.shared)),
            .init(service: MachineService(.shared)),
            .init(service: plaza.server(port: port, logger: logger, onRunning: announce)),
        ]
        var configuration = ServiceGroupConfiguration(
            services: services,
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: logger
        )
        configuration.maximumGracefulShutdownDuration = .seconds(30)
        try await ServiceGroup(configuration: configuration).run()
    }
}
// snippet.end

/// The port that was asked for, or 8080. Anything else ends the program.
private func port(_ arguments: ArraySlice<String>) -> Int {
    guard let argument = arguments.first else { return 8080 }
    if arguments.count == 1, let port = UInt16(argument) { return Int(port) }
    let isHelp = argument == "--help" || argument == "-h"
    let usage = Data("Usage: plaza-server [port]\n\nServes on the loopback interface; by default on port 8080.\n".utf8)
    (isHelp ? FileHandle.standardOutput : FileHandle.standardError).write(usage)
    exit(isHelp ? 0 : 2)
}

/// At once, also if it is written to a pipe.
private func announce(_ port: Int) {
    FileHandle.standardOutput.write(Data("http://127.0.0.1:\(port)\n".utf8))
}

/// Stands for a slow server somewhere else.
@concurrent private func distantForecast(_ city: String) async throws -> Forecast? {
    try await Task.sleep(for: .milliseconds(500))
    guard let first = city.unicodeScalars.first, first.properties.isAlphabetic else { return nil }
    return Forecast(city: city, celsius: Int(first.value % 30))
}

/// How many prime numbers there are below `limit`.
@concurrent private func countPrimes(below limit: Int) async throws -> Int {
    guard limit > 2 else { return 0 }
    var isPrime = Array(repeating: true, count: limit)
    var count = 0
    for number in 2..<limit where isPrime[number] {
        count += 1
        for multiple in stride(from: number * number, to: limit, by: number) { isPrime[multiple] = false }
        if number % 1000 == 1 { try Task.checkCancellation() }
    }
    return count
}
