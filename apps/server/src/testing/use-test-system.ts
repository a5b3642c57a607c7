import { startTestSystem, type TestSystem, type TestSystemOptions } from './test-system.ts'

/**
 * Registers hooks that start a system before the tests of the file (or `describe` block) and stop it afterwards. What it
 * returns can be used in later hooks and in tests. With `null`, there is no system: for tests that are skipped.
 */
export function useTestSystem(options: TestSystemOptions | null = {}): TestSystem {
  let system: TestSystem | undefined
  beforeAll(async () => {
    if (options) system = await startTestSystem(options)
  })
  afterAll(() => system?.close())
  return new Proxy({} as TestSystem, {
    get(_target, name) {
      if (!system) throw new Error('The test system is available only in hooks and tests.')
      return Reflect.get(system, name)
    },
  })
}
