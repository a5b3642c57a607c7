import { createRequire } from 'node:module'
import { waits } from './sequencer.mjs'

const { default: TestRunner } = createRequire(import.meta.url)('jest-runner')

/** The part of all workers that runs the files that wait. */
const WAITING_SHARE = 2 / 3

/**
 * Runs the test files that wait for other processes, and those that work themselves, in separate workers. Each worker has to
 * load and compile all modules that its files use, and the files that work need few workers to keep the processors busy.
 */
export default class TwoPoolRunner extends TestRunner {
  async runTests(tests, watcher, options) {
    const waiting = tests.filter(waits)
    const working = tests.filter((test) => !waits(test))
    if (options.serial || waiting.length === 0 || working.length === 0) {
      return super.runTests(tests, watcher, options)
    }
    const config = this._globalConfig
    const waitingWorkers = Math.max(1, Math.floor(config.maxWorkers * WAITING_SHARE))
    const run = (files, maxWorkers) => {
      this._globalConfig = { ...config, maxWorkers }
      return super.runTests(files, watcher, options)
    }
    await Promise.all([run(waiting, waitingWorkers), run(working, Math.max(1, config.maxWorkers - waitingWorkers))])
  }
}
