import { base } from '../../../jest.config.mjs'

/** Tests that must fail, all in one worker: see src/test-runner.test.ts. */
export default {
  ...base,
  rootDir: '../../..',
  maxWorkers: 1,
  testMatch: ['<rootDir>/packages/system-tests/src/failing/*.ts'],
}
