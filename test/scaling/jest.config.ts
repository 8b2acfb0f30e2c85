import type { Config } from 'jest';
import shared from '../../jest.config.ts';

/** Measures each function of the catalogue with large arguments, which takes minutes; `npm test` leaves it out. */
const config: Config = {
  ...shared,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/scaling/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
};

export default config;
