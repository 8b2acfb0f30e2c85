import type { Config } from 'jest';
import shared from '../../jest.config.ts';

/** The suite that runs the cells of docs/notebooks.md, for which pip needs PyPI the first time; `npm test` leaves it out. */
const config: Config = {
  ...shared,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/notebooks/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  // The installation loads 150 MB.
  testTimeout: 900_000,
  maxWorkers: 1,
};

export default config;
