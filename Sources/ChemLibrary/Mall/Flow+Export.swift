// Graphs, their times and their sequences of values are part of this module's interface.

@_exported public import Flow
