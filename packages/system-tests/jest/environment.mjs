import { SourceMap } from 'node:module'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { ModernFakeTimers } from '@jest/fake-timers'
import { ModuleMocker } from 'jest-mock'
import '@subtext/testbed/v8-flags'
import { readSourceMap } from './compiled.mjs'
import { endWithInput } from './end-with-input.mjs'

setFlagsFromString('--wasm-tiering-budget=30000000')

// A worker must not outlive a parent that was killed; its exit ends the apps and servers of its tests in turn. The end of
// standard input shows it; listening for `disconnect` would keep a worker from exiting when its work is done.
if (process.send) endWithInput()

/**
 * Runs test files in the worker's own realm instead of a sandbox for each file. All files of a worker share one module
 * cache, so that each module is loaded once per worker: in sandboxes, loading took more CPU than the tests themselves.
 */
export default class ProcessEnvironment {
  global = globalThis
  #console = globalThis.console
  #exit = process.exit
  #env = { ...process.env }
  #directory = process.cwd()
  #timers
  #mocker

  constructor({ projectConfig }) {
    this.#timers = new ModernFakeTimers({ config: projectConfig, global: globalThis })
    this.#mocker = new ModuleMocker(globalThis)
  }

  async setup() {
    // jest-circus keeps its event handlers in this global, and each file gets a new instance of jest-circus: with the
    // handlers of the previous file, uncaught errors would be recorded there and fail no test.
    delete globalThis[Symbol.for('EVENT_HANDLERS')]
    Error.prepareStackTrace = formatStack
    globalThis.jest = { ...bindMethods(this.#mocker, MOCKS), ...bindMethods(this.#timers, TIMERS) }
  }

  /** Restores the globals, the environment and the working directory that the test file or jest has replaced. */
  async teardown() {
    this.#timers.dispose()
    this.#mocker.restoreAllMocks()
    process.exit = this.#exit
    if (process.cwd() !== this.#directory) process.chdir(this.#directory)
    for (const name of Object.keys(process.env)) if (!(name in this.#env)) delete process.env[name]
    Object.assign(process.env, this.#env)
    globalThis.console = this.#console
  }

  exportConditions() {
    return ['node', 'node-addons']
  }

  getVmContext() {
    return null
  }
}

/** The supported part of the `jest` object: modules cannot be mocked, because all files share them. */
const MOCKS = ['fn', 'spyOn', 'mocked', 'clearAllMocks', 'resetAllMocks', 'restoreAllMocks']
const TIMERS = [
  ...['useFakeTimers', 'useRealTimers', 'setSystemTime', 'getRealSystemTime', 'now', 'getTimerCount'],
  ...['advanceTimersByTime', 'advanceTimersByTimeAsync', 'advanceTimersToNextTimer', 'advanceTimersToNextTimerAsync'],
  ...['runAllTimers', 'runAllTimersAsync', 'runOnlyPendingTimers', 'runOnlyPendingTimersAsync', 'runAllTicks'],
  'clearAllTimers',
]
const bindMethods = (target, names) => Object.fromEntries(names.map((name) => [name, target[name].bind(target)]))

/** Formats a stack as V8 does, with positions in the TypeScript sources, which jest needs to show the failing line. */
function formatStack(error, frames) {
  return [String(error), ...frames.map((frame) => `    at ${describeFrame(frame)}`)].join('\n')
}

function describeFrame(frame) {
  const text = String(frame)
  const url = frame.getFileName()
  if (!url?.startsWith('file:')) return text
  const path = fileURLToPath(url.split('?')[0])
  const origin = findSourceMap(path)?.findOrigin(frame.getLineNumber(), frame.getColumnNumber())
  if (origin?.lineNumber === undefined) return text
  return text.replace(`${url}:${frame.getLineNumber()}:${frame.getColumnNumber()}`, () =>
    [path, origin.lineNumber, origin.columnNumber].join(':'),
  )
}

const sourceMaps = new Map()

/** Returns the map of a compiled file. It is read only now: few files ever appear in a stack that someone looks at. */
function findSourceMap(path) {
  if (!sourceMaps.has(path)) {
    const payload = readSourceMap(path)
    sourceMaps.set(path, payload && new SourceMap(payload))
  }
  return sourceMaps.get(path)
}
