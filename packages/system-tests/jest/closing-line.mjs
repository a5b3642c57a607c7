import { writeSync } from 'node:fs'

/** Ends the run with one plain line that any script can read. */
export default class ClosingLine {
  onRunComplete(_contexts, results) {
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites
    const skipped = results.numPendingTests > 0 ? `${results.numPendingTests} skipped\n` : ''
    // Other reporters hold their words back for a moment: whatever they still say stands above the last line.
    process.once('exit', () => writeSync(1, `${skipped}${results.numPassedTests} passed, ${failed} failed\n`))
  }
}
