import type { Config } from 'jest';
import shared from '../../jest.config.ts';

/** The suites that need Terraform, in the workspace that run.sh prepares; `npm test` leaves them out. */
const config: Config = {
  ...shared,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/terraform/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
};

export default config;
