import { availableParallelism } from 'node:os'
import TestRunner from 'jest-runner'
import { waits } from './sequencer.mjs'

/**
 * Runs the test files that wait for other processes, and those that work themselves, in separate workers. Each worker has to
 * load and compile all modules that its files use, and the files that work need few workers to keep the processors busy.
 */
export default class TwoPoolRunner extends TestRunner {
  #listeners = []

  on(eventName, listener) {
    this.#listeners.push([eventName, listener])
    return super.on(eventName, listener)
  }

  async runTests(tests, watcher, options) {
    const { maxWorkers } = this._globalConfig
    const waiting = tests.filter(waits)
    const working = tests.filter((test) => !waits(test))
    if (options.serial || maxWorkers < 2 || waiting.length === 0 || working.length === 0) {
      return super.runTests(tests, watcher, options)
    }
    const busy = Math.min(availableParallelism(), Math.floor(maxWorkers / 2))
    const waitingWorkers = Math.min(waiting.length, maxWorkers - busy)
    const ends = await Promise.allSettled([
      this.#createPool(waitingWorkers).runTests(waiting, watcher, options),
      this.#createPool(Math.min(working.length, maxWorkers - waitingWorkers)).runTests(working, watcher, options),
    ])
    for (const end of ends) if (end.status === 'rejected') throw end.reason
  }

  #createPool(maxWorkers) {
    const pool = new TestRunner({ ...this._globalConfig, maxWorkers }, this._context)
    for (const [eventName, listener] of this.#listeners) pool.on(eventName, listener)
    return pool
  }
}
