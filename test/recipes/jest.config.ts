import type { Config } from 'jest';
import shared from '../../jest.config.ts';

/** The suite that needs the programs which send logs; `npm test` leaves it out. */
const config: Config = {
  ...shared,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/recipes/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
};

export default config;
