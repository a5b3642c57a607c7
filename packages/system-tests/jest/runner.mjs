import { createRequire } from 'node:module'
import { waits } from './sequencer.mjs'

const { default: TestRunner } = createRequire(import.meta.url)('jest-runner')

/** The part of all workers that runs the files that wait. */
const WAITING_SHARE = 2 / 3

/**
 * Gives the test files that wait for other processes, and those that work themselves, workers of their own. The working
 * files need few: each worker has to load and compile all modules, which takes a tenth of the CPU time of the whole suite.
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
