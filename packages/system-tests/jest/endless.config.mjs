import { withServers } from '../../../jest.config.mjs'

// A run must not outlive the test that started it.
process.stdin.once('end', () => process.exit(1))
process.stdin.resume().unref()

/** Tests that only end by interruption, each in its own worker: see src/interrupted-run.test.ts. */
export default {
  ...withServers,
  rootDir: '../../..',
  maxWorkers: 2,
  testTimeout: 600_000,
  testMatch: ['<rootDir>/packages/system-tests/src/endless/*.ts'],
}
