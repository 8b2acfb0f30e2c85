import { readFile, writeFile } from 'node:fs/promises';
import { GENERATED_PAGES, regenerate } from './generated-tables.ts';

// Writes the tables anew that test/docs/generated-tables.test.ts holds the pages to.
for (const page of GENERATED_PAGES) await writeFile(page, await regenerate(await readFile(page, 'utf8')));
