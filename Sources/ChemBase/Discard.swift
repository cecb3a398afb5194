/// Releases `value` here, not later.
@usableFromInline
@inline(never)
package func discard<Value>(_ value: consuming Value) {}
