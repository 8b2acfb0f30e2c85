import type { Config } from 'jest';
import shared from '../../jest.config.ts';

/** The suite that installs the package, for which npm needs its registry; `npm test` leaves it out. */
const config: Config = {
  ...shared,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/package/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  // An installation loads some hundred MB.
  testTimeout: 900_000,
  maxWorkers: 1,
};

export default config;
