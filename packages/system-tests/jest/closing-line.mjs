import { writeSync } from 'node:fs'

/** Ends the run with one plain line that any script can read. */
export default class ClosingLine {
  onRunComplete(_contexts, results) {
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites
    const skipped = results.numPendingTests > 0 ? `${results.numPendingTests} skipped\n` : ''
    // Other reporters buffer their output for a moment; it is printed above this line.
    process.once('exit', () => writeSync(1, `${skipped}${results.numPassedTests} passed, ${failed} failed\n`))
  }
}
