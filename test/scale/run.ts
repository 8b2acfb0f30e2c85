import { parseArgs } from 'node:util';
import { scaleTables, TABLES } from './report.ts';
import { docsSize, MULTIPLES, runSizes } from './run-scale.ts';

const USAGE = `usage: npm run scale -- [--seed N] [--multiples N,N,…] [--table NAME]
  --seed N         another run than that of docs/scale.md (1)
  --multiples N,…  times the docs' size, at most 1000 (${MULTIPLES.join(',')})
  --table NAME     one of ${TABLES.join(', ')}; all unless given`;

function wholeNumber(name: string, text: string, max: number): number {
  if (/^\d{1,9}$/.test(text) && Number(text) >= 1 && Number(text) <= max) return Number(text);
  throw new TypeError(
    `--${name} takes whole numbers from 1 to ${max}, not ${JSON.stringify(text)}\n${USAGE}`,
  );
}

try {
  const { values } = parseArgs({
    options: { seed: { type: 'string' }, multiples: { type: 'string' }, table: { type: 'string' } },
  });
  const seed = wholeNumber('seed', values.seed ?? '1', 999_999_999);
  const multiples =
    values.multiples?.split(',').map((text) => wholeNumber('multiples', text, 1000)) ?? MULTIPLES;
  const names = TABLES.filter((name) => values.table === undefined || values.table === name);
  if (names.length === 0) throw new TypeError(`--table takes one of ${TABLES.join(', ')}\n${USAGE}`);
  const { model, limits } = await docsSize();
  const tables = scaleTables(limits, runSizes(model, limits, seed, multiples));
  process.stdout.write(names.map((name) => tables[name]).join('\n'));
} catch (error) {
  if (!(error instanceof TypeError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
