import { readFile, writeFile } from 'node:fs/promises';
import { FUNCTIONS_PAGE, withFunctionTable } from './function-table.ts';
import { GENERATED_PAGES, regenerate } from './generated-tables.ts';

// Writes the tables anew that test/docs/generated-tables.test.ts and test/docs/googlesql.test.ts hold the pages to.
await writeFile(FUNCTIONS_PAGE, withFunctionTable(await readFile(FUNCTIONS_PAGE, 'utf8')));
for (const page of GENERATED_PAGES) await writeFile(page, await regenerate(await readFile(page, 'utf8')));
