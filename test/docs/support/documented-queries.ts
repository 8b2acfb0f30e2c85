import { cp, mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadEndpoints } from '../../../shared/endpoints/load-endpoints.ts';

/**
 * A folder with the endpoints of `queries/` that docs/http-api.md describes: what the pages print of all endpoints is of
 * these, whatever else is served here.
 */
export async function documentedQueries(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'documented-queries-'));
  for (const name of await documentedEndpoints()) {
    for (const kind of ['json', 'sql']) await cp(`queries/${name}.${kind}`, join(folder, `${name}.${kind}`));
  }
  return folder;
}

/** The names of the endpoints that have a heading in docs/http-api.md. */
export async function documentedEndpoints(): Promise<readonly string[]> {
  const page = await readFile('docs/http-api.md', 'utf8');
  const { all } = await loadEndpoints('queries');
  return all.map(({ name }) => name).filter((name) => page.includes(`\n### ${name}\n`));
}
