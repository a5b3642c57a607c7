import { withServers } from '../../../jest.config.mjs'
import { endWithInput } from './end-with-input.mjs'

// The test that starts a run holds its standard input open: the run must not outlive that test.
if (process.env.ENDS_WITH_INPUT) endWithInput()

/** Tests that only end by interruption, each in its own worker: see src/interrupted-run.test.ts. */
export default {
  ...withServers,
  rootDir: '../../..',
  maxWorkers: 2,
  testTimeout: 600_000,
  testMatch: ['<rootDir>/packages/system-tests/src/endless/*.ts'],
}
