import ChemActors
import Hummingbird
import Logging

/// Has every error say what is wrong, as JSON: `{"error":{"message":"…"}}`.
struct ErrorAnswers: RouterMiddleware {
    @concurrent func handle(
        _ request: Request,
        context: PlazaContext,
        next: @concurrent (Request, PlazaContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as HTTPError where error.body == nil {
            throw HTTPError(error.status, message: "nothing answers \(request.method) \(request.uri.path)")
        } catch let error as any HTTPResponseError where error.status == .contentTooLarge {
            throw HTTPError(.contentTooLarge, message: "a request has at most \(context.maxUploadSize) bytes")
        } catch let error as CallError {
            // The machine has been deactivated, or bodies wait for each other: not the fault of the request.
            context.logger.error("\(error)")
            throw HTTPError(.serviceUnavailable, message: "the service can't answer now")
        }
    }
}
