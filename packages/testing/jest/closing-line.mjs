/** Ends the run with one plain line that any script can read. */
export default class ClosingLine {
  onRunComplete(_contexts, results) {
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites
    const skipped = results.numPendingTests > 0 ? `, ${results.numPendingTests} skipped` : ''
    process.stdout.write(`\n${results.numPassedTests} passed, ${failed} failed${skipped}\n`)
  }
}
