// Graphs, their times and their sequences of values are a part of this module's interface.

@_exported public import Flow
