import { withServers } from '../../../jest.config.mjs'

/** Tests that only end by interruption, each in its own worker: see src/interrupted-run.test.ts. */
export default {
  ...withServers,
  rootDir: '../../..',
  maxWorkers: 2,
  testTimeout: 600_000,
  testMatch: ['<rootDir>/packages/system-tests/src/endless/*.ts'],
}
