import { findSourceMap } from 'node:module'
import { fileURLToPath } from 'node:url'

// A worker must not outlive a parent that was killed; its exit ends the apps and servers of its tests in turn. The end of
// the standard input tells: listening for `disconnect` would keep the worker from ending when its work is done.
if (process.send) {
  process.stdin.once('end', () => process.exit(1))
  process.stdin.resume().unref()
}

/**
 * Runs test files in the worker's own realm instead of a sandbox for each file. All files of a worker share one module
 * cache, so that each module is loaded once per worker: in sandboxes, loading took more CPU than the tests themselves.
 */
export default class ProcessEnvironment {
  global = globalThis
  #console = globalThis.console
  #exit = process.exit

  async setup() {
    Error.prepareStackTrace = formatStack
  }

  /** Puts back the globals that jest replaces for each file. */
  async teardown() {
    process.exit = this.#exit
    globalThis.console = this.#console
  }

  exportConditions() {
    return ['node', 'node-addons']
  }

  getVmContext() {
    return null
  }
}

/** Formats a stack as V8 does, with positions in the TypeScript sources, which jest needs to show the failing line. */
function formatStack(error, frames) {
  return [String(error), ...frames.map((frame) => `    at ${describeFrame(frame)}`)].join('\n')
}

function describeFrame(frame) {
  const text = String(frame)
  const file = frame.getFileName()
  const origin = file && findSourceMap(file)?.findOrigin(frame.getLineNumber(), frame.getColumnNumber())
  if (!origin?.fileName) return text
  const path = origin.fileName.startsWith('file:') ? fileURLToPath(origin.fileName) : origin.fileName
  return text.replace(`${file}:${frame.getLineNumber()}:${frame.getColumnNumber()}`, () =>
    [path, origin.lineNumber, origin.columnNumber].join(':'),
  )
}
