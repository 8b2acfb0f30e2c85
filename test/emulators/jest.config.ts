import type { Config } from 'jest';
import shared from '../../jest.config.ts';

/** The suites that need Google's emulators; `npm test` leaves them out. */
const config: Config = {
  ...shared,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/emulators/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  globalSetup: '<rootDir>/test/emulators/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/emulators/support/global-teardown.ts',
  // A process for each suite: calls of Google's clients that no caller waits for any longer fail long after their suite has
  // ended, and must not fail the next one.
  workerIdleMemoryLimit: '1MB',
};

export default config;
