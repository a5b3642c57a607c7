import { withServers } from '../../../jest.config.mjs'

// The test that starts a run holds its standard input open: the run must not outlive that test.
if (process.env.ENDS_WITH_INPUT) {
  process.stdin.once('end', () => process.exit(1))
  process.stdin.resume().unref()
}

/** Tests that only end by interruption, each in its own worker: see src/interrupted-run.test.ts. */
export default {
  ...withServers,
  rootDir: '../../..',
  maxWorkers: 2,
  testTimeout: 600_000,
  testMatch: ['<rootDir>/packages/system-tests/src/endless/*.ts'],
}
