import { readdir, rm, writeFile } from 'node:fs/promises';
import { GOLDEN_QUERIES, goldenFileName } from './queries.ts';
import { showCompilation } from './show-compilation.ts';

/* Writes all golden files anew and deletes those that no query has. */
const folder = new URL('../', import.meta.url);
const files = new Set(GOLDEN_QUERIES.map(goldenFileName));
for (const name of await readdir(folder)) {
  if (name.endsWith('.txt') && !files.has(name)) await rm(new URL(name, folder));
}
for (const query of GOLDEN_QUERIES) {
  await writeFile(new URL(goldenFileName(query), folder), showCompilation(query));
}
