import type { Config } from 'jest';

const config: Config = {
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  testPathIgnorePatterns: ['<rootDir>/test/(bench|fuzz|emulators|terraform|browser)/'],
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
  testTimeout: 60_000,
  maxWorkers: 2,
};

export default config;
