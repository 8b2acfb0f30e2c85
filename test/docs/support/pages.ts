import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The pages for users: README.md, that of the client, and all in docs/. */
export const USER_PAGES: readonly string[] = [
  'README.md',
  'client/README.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => join('docs', name)),
];

/** All pages of the repository. */
export const PAGES: readonly string[] = [
  ...USER_PAGES,
  ...['ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md'],
];
