import type { Config } from 'jest';

const config: Config = {
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  testPathIgnorePatterns: [
    '<rootDir>/test/(bench|browser|emulators|fuzz|notebooks|package|recipes|scaling|terraform)/',
  ],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2024',
          parser: { syntax: 'typescript' },
          // Node asks for them where JSON is imported.
          experimental: { keepImportAttributes: true },
        },
      },
    ],
  },
  // Only what hangs may run out of it: on a busy machine some tests take ten times as long as on a free one.
  testTimeout: 300_000,
  maxWorkers: 2,
};

export default config;
