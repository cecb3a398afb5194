import ChemActors
public import Hummingbird
import Recipes
import ServiceLifecycle

extension Forecast: ResponseEncodable {}
extension Job: ResponseEncodable {}

extension Plaza {
    private struct Read: ResponseEncodable {
        let messages: [Message]
        /// With which number to ask on.
        let next: Int
    }

    private struct Order: Decodable {
        /// How many prime numbers are there below this one?
        let below: Int
    }

    private struct Health: ResponseEncodable {
        let waitingCalls: Int
        let runningBodies: Int
        let failures: Int
    }

    func addRoutes(to router: Router<PlazaContext>) {
        router.post("rooms/:room/messages", use: post)
        router.get("rooms/:room/messages", use: read)
        router.get("weather/:city", use: forecast)
        router.post("jobs", use: submit)
        router.get("jobs/:id", use: job)
        router.get("stuck") { [machine] _, _ in "\(machine.explainStuck(after: .seconds(10)))\n" }
        router.get("health") { [machine] _, _ in
            let census = machine.census()
            return Health(waitingCalls: census.waitingCalls, runningBodies: census.running, failures: census.failed)
        }
    }

    // snippet.post
    @Sendable private func post(_ request: Request, _ context: PlazaContext) async throws -> Response {
        let name = try context.name("room", limits)
        let draft = try await request.decode(as: Draft.self, context: context)
        try check(draft)
        try refuseWhenClosing()
        guard let message = try await rooms.visit(name, { room in try await room.post(draft) }) else { throw noRoom }
        return try created(message, .created, at: "/rooms/\(name)/messages?from=\(message.number)", request, context)
    }
    // snippet.end

    // snippet.read
    @Sendable private func read(_ request: Request, _ context: PlazaContext) async throws -> Read {
        let name = try context.name("room", limits)
        let (from, wait) = (try request.number("from", in: 1...Int.max, or: 1), try request.wait())
        let messages = try await longPoll(request) {
            guard let messages = try await rooms.visit(name, { room in try await room.read(from, within: wait) }) else {
                throw noRoom
            }
            return messages
        }
        return Read(messages: messages ?? [], next: (messages?.last?.number ?? from - 1) + 1)
    }
    // snippet.end

    @Sendable private func forecast(_ request: Request, _ context: PlazaContext) async throws -> Forecast {
        let city = try context.name("city", limits)
        do {
            let future = try await weather.find(city)
            if let forecast = try await future.value(within: limits.forecastWait) { return forecast }
        } catch let error as CallError where error.code == .timedOut {
            throw HTTPError(.gatewayTimeout, message: "the weather of \(city) takes too long")
        } catch where !(error is CallError || error is CancellationError) {
            throw HTTPError(.badGateway, message: "the weather of \(city) isn't available: \(error)")
        }
        throw HTTPError(.notFound, message: "there is no weather of \(city)")
    }

    // snippet.submit
    @Sendable private func submit(_ request: Request, _ context: PlazaContext) async throws -> Response {
        let order = try await request.decode(as: Order.self, context: context)
        guard (0...limits.greatestJob).contains(order.below) else {
            throw HTTPError(.unprocessableContent, message: "'below' must be 0 to \(limits.greatestJob)")
        }
        try refuseWhenClosing()
        guard let job = try await jobs.submit(order.below) else {
            throw HTTPError(.serviceUnavailable, headers: [.retryAfter: "1"], message: "too many jobs wait")
        }
        return try created(job, .accepted, at: "/jobs/\(job.id)", request, context)
    }
    // snippet.end

    @Sendable private func job(_ request: Request, _ context: PlazaContext) async throws -> Job {
        let text = try context.parameters.require("id")
        guard let id = Int(text) else {
            throw HTTPError(.badRequest, message: "the number of a job is a whole number, not '\(text)'")
        }
        let wait = try request.wait()
        guard let entry = try await jobs.find(id) else { throw HTTPError(.notFound, message: "there is no job \(id)") }
        if wait == .zero { return entry.job }
        _ = try await longPoll(request) { try await entry.ended.value(within: wait) }
        return try await jobs.find(id)?.job ?? entry.job
    }

    private func created(
        _ value: some Encodable,
        _ status: HTTPResponse.Status,
        at location: String,
        _ request: Request,
        _ context: PlazaContext
    ) throws -> Response {
        var response = try context.responseEncoder.encode(value, from: request, context: context)
        response.status = status
        response.headers[.location] = location
        return response
    }

    private func check(_ draft: Draft) throws {
        for (name, text) in [("author", draft.author), ("text", draft.text)] where !(1...limits.characters).contains(text.count) {
            throw HTTPError(.unprocessableContent, message: "'\(name)' must have 1 to \(limits.characters) characters")
        }
    }

    /// What has been accepted is finished; while that goes on, nothing new is accepted.
    private func refuseWhenClosing() throws {
        if Task.isShuttingDownGracefully {
            throw HTTPError(.serviceUnavailable, headers: [.connection: "close"], message: "the service is shut down")
        }
    }

    private var noRoom: HTTPError { HTTPError(.serviceUnavailable, message: "there are too many rooms") }
}
