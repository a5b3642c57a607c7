const swc = { jsc: { parser: { syntax: 'typescript' }, target: 'es2023' } }

export const base = {
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': ['@swc/jest', swc] },
  testEnvironmentOptions: { customExportConditions: ['subtext-source', 'node', 'node-addons'] },
  modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/.turbo'],
  setupFiles: ['end-with-parent', 'errors-of-node'].map((name) => `<rootDir>/packages/system-tests/jest/${name}.mjs`),
}

export const withServers = {
  ...base,
  globalSetup: '<rootDir>/packages/system-tests/jest/global-setup.mjs',
  globalTeardown: '<rootDir>/packages/system-tests/jest/global-teardown.mjs',
}

export default {
  // Four at a time keep two processors busy, because many tests wait for other processes most of the time.
  maxWorkers: 4,
  // Node.js 20 does not free the modules of test files that have ended. A worker that holds more is replaced between two files.
  workerIdleMemoryLimit: '768MB',
  // Only a test that hangs takes as long: a busy machine fails no test.
  testTimeout: 600_000,
  // On a busy machine, a worker needs longer than half a second to exit. One that does not exit is still reported.
  workerGracefulExitTimeout: 30_000,
  reporters: [['default', { summary: false }], 'summary', '<rootDir>/packages/system-tests/jest/closing-line.mjs'],
  projects: [
    {
      ...base,
      displayName: 'unit',
      testMatch: ['<rootDir>/{apps,packages}/*/src/**/*.test.ts'],
      testPathIgnorePatterns: ['\\.db\\.test\\.ts$', '/packages/system-tests/'],
    },
    {
      ...withServers,
      displayName: 'store',
      testMatch: ['<rootDir>/{apps,packages}/*/src/**/*.db.test.ts'],
    },
    {
      ...withServers,
      displayName: 'system',
      testMatch: ['<rootDir>/packages/system-tests/src/**/*.test.ts'],
    },
  ],
}
