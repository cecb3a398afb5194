// `import ChemLibrary` is all of the library. Each of these can also be imported alone.

@_exported public import Flow
@_exported public import Mailbox
@_exported public import Mall
@_exported public import Recipes
@_exported public import Streams
