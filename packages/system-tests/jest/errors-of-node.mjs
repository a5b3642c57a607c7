import { runInThisContext } from 'node:vm'

// Jest gives each test file a realm of its own. An error that Node.js itself has made, such as a timeout or a message from a
// thread, belongs to the realm around it; here it is an instance of the class with the same name, as it is outside of tests.
for (const name of ['Error', 'RangeError', 'SyntaxError', 'TypeError']) {
  const outer = runInThisContext(name)
  const inner = globalThis[name]
  if (outer === inner) continue
  Object.defineProperty(inner, Symbol.hasInstance, {
    value(error) {
      const isInstance = Function.prototype[Symbol.hasInstance].call(this, error)
      return isInstance || (this === inner && error instanceof outer)
    },
  })
}
