import type { Config } from 'jest';
import shared from '../../jest.config.ts';

/** The suites that need a browser; `npm test` leaves them out. */
const config: Config = {
  ...shared,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/browser/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  globalSetup: '<rootDir>/test/browser/support/start-service.ts',
  globalTeardown: '<rootDir>/test/browser/support/stop-service.ts',
  maxWorkers: 1,
};

export default config;
