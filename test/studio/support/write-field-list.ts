import { readFile, writeFile } from 'node:fs/promises';
import { fieldTables, PAGE } from './field-list.ts';

// The tables are written anew; what stands above them stays.
const page = await readFile(PAGE, 'utf8');
const start = page.indexOf('\n## ');
const above = start === -1 ? page.trimEnd() : page.slice(0, start).trimEnd();
await writeFile(PAGE, `${above}\n\n${await fieldTables()}\n`);
