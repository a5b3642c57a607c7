const base = {
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': '@swc/jest' },
  transformIgnorePatterns: ['/node_modules/'],
  testEnvironment: 'node',
}

export default {
  maxWorkers: 2,
  projects: [
    {
      ...base,
      displayName: 'unit',
      testMatch: ['<rootDir>/{apps,packages}/*/src/**/*.test.ts'],
      testPathIgnorePatterns: ['\\.db\\.test\\.ts$'],
    },
  ],
}
