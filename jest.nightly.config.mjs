import { withServers } from './jest.config.mjs'

/** Tests that take minutes and need tools of the system: `npm run test:nightly`. */
export default {
  ...withServers,
  testTimeout: 3_600_000,
  reporters: ['default', '<rootDir>/packages/system-tests/jest/closing-line.mjs'],
  testMatch: ['<rootDir>/packages/*/nightly/**/*.test.ts'],
}
