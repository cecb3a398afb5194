import Hummingbird

/// What is known of a request beside what it says.
struct PlazaContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    var maxUploadSize: Int { 16 * 1024 }

    init(source: ApplicationRequestContextSource) { coreContext = CoreRequestContextStorage(source: source) }
}
