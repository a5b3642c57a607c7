import type { AccountOptions } from './accounts.ts'
import type { Client } from './client.ts'
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
  return createStandIn(() => system, 'test system')
}

/** Registers a hook that creates an account of its own for the tests of the block, and returns its client. */
export function useClient(system: TestSystem, options?: AccountOptions): Client {
  let client: Client | undefined
  beforeAll(async () => {
    client = await system.createClient(options)
  })
  return createStandIn(() => client, 'client')
}

/** Returns an object that reads every property from what `get` returns at that moment. */
const createStandIn = <T extends object>(get: () => T | undefined, name: string): T =>
  new Proxy({} as T, {
    get(_target, property) {
      const target = get()
      if (!target) throw new Error(`The ${name} is available only in hooks and tests.`)
      return Reflect.get(target, property)
    },
  })
