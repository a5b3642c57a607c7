import { base } from './jest.config.mjs'

/** Checks that need the real video platform: `npm run test:live`, for people with a network. */
export default {
  ...base,
  testTimeout: 300_000,
  reporters: ['default', '<rootDir>/packages/system-tests/jest/closing-line.mjs'],
  testMatch: ['<rootDir>/apps/*/live/**/*.test.ts'],
}
