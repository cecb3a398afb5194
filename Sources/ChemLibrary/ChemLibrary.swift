// `import ChemLibrary` is all of the library, with the runtime: its errors, its machines, and the molecules that some
// recipes take. Each part of the library can also be imported alone.

@_exported public import ChemActors
@_exported public import Flow
@_exported public import Mailbox
@_exported public import Mall
@_exported public import Recipes
@_exported public import Streams
