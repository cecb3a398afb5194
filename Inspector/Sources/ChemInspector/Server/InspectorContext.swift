import Hummingbird
import NIOCore

/// What is known of a request beside what it says.
struct InspectorContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The port at which it has come in.
    let port: Int

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        port = source.channel.localAddress?.port ?? 0
    }
}
