import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import './typescript.mjs'

const require = createRequire(import.meta.url)

const runsByPath = new Map()

const asyncHooks = require('node:async_hooks')

/**
 * Loads test files with Node's own `import`, in place of jest-runtime, which loads every module again for every test file.
 * Has the methods that jest-runner and jest-circus call.
 */
export default class NativeRuntime {
  #storages = []

  /** jest-circus keeps the tests of a file in its module, so each file gets a new instance of it. */
  requireInternalModule(path) {
    delete require.cache[path]
    const storages = this.#storages
    // In Node.js 24, the property is a getter.
    const original = Object.getOwnPropertyDescriptor(asyncHooks, 'AsyncLocalStorage')
    const { AsyncLocalStorage } = asyncHooks
    const value = class extends AsyncLocalStorage {
      constructor(...options) {
        super(...options)
        storages.push(this)
      }
    }
    Object.defineProperty(asyncHooks, 'AsyncLocalStorage', { value, configurable: true })
    try {
      return require(path)
    } finally {
      Object.defineProperty(asyncHooks, 'AsyncLocalStorage', original)
    }
  }

  requireModule(path) {
    return require(path)
  }

  unstable_shouldLoadAsEsm() {
    return true
  }

  /** Loads a test file, again if it runs a second time in the same worker, as in watch mode: loading registers its tests. */
  unstable_importModule(path) {
    const runs = runsByPath.get(path) ?? 0
    runsByPath.set(path, runs + 1)
    return import(runs === 0 ? pathToFileURL(path).href : `${pathToFileURL(path).href}?run=${runs}`)
  }

  getSourceMaps() {
    return null
  }

  getAllCoverageInfoCopy() {}
  getAllV8CoverageInfoCopy() {}
  setGlobalsForRuntime() {}
  enterTestCode() {}
  leaveTestCode() {}

  /** Ends the storages of jest-circus. Node.js 20 copies the value of each that there has ever been with every promise. */
  teardown() {
    for (const storage of this.#storages.splice(0)) storage.disable()
  }
}
