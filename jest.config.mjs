export const base = {
  testEnvironment: '<rootDir>/packages/system-tests/jest/environment.mjs',
  runner: '<rootDir>/packages/system-tests/jest/runner.mjs',
  runtime: '<rootDir>/packages/system-tests/jest/runtime.mjs',
  transform: {},
  // Of all files, jest reads those with these endings at its start. It has to know no others, as `runtime` loads the modules.
  moduleFileExtensions: ['ts', 'js'],
  modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/.turbo'],
}

export const withServers = {
  ...base,
  globalSetup: '<rootDir>/packages/system-tests/jest/global-setup.mjs',
  globalTeardown: '<rootDir>/packages/system-tests/jest/global-teardown.mjs',
}

export default {
  // Six at a time keep two processors busy, because many tests wait most of the time: see `runner`. The workers have the
  // flags of this process, such as those of `npm test` for the young generation of V8's heap, with which collecting garbage
  // takes less CPU time.
  maxWorkers: 6,
  // Only a test that hangs takes as long: a busy machine fails no test.
  testTimeout: 600_000,
  // On a busy machine, a worker needs longer than half a second to exit. One that does not exit is still reported.
  workerGracefulExitTimeout: 30_000,
  testSequencer: '<rootDir>/packages/system-tests/jest/sequencer.mjs',
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
