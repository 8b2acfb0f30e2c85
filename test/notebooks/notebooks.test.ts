import { globSync, readFileSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type RealService, startRealService } from '../data/support/real-service.ts';
import { codeBlocks } from '../docs/support/code-blocks.ts';
import { pythonEnvironment } from '../support/python-environment.ts';
import { runCells } from './support/run-cells.ts';

const PAGE = 'docs/notebooks.md';
/** What DuckDB calls this machine. */
const PLATFORM = "import duckdb; print(duckdb.sql('PRAGMA platform').fetchone()[0])";
const REQUIREMENTS = join(import.meta.dirname, 'requirements.txt');
/** The clock that the page's answers were given at. */
const NOW = '2026-01-31T12:10:00Z';

/** The cells of the page, and what each prints; null where the page does not say it. */
const blocks = codeBlocks(PAGE);
const cells = blocks.flatMap(({ info, text, line }, index) => {
  const next = blocks[index + 1];
  return info === 'python' ? [{ text, line, output: next?.info === 'text' ? next.text : null }] : [];
});

let running: RealService;
/** The home of the Python, in which DuckDB looks for its extensions. */
let home: string;
let printed: readonly string[];
beforeAll(async () => {
  const python = await pythonEnvironment('notebooks', REQUIREMENTS);
  home = await mkdtemp(join(tmpdir(), 'lqe-notebooks-'));
  const env = { HOME: home, LQE_TOKEN: '' };
  const [platform = ''] = await runCells(python, [PLATFORM], env);
  const [extensions = ''] = globSync(
    join(python, 'lib/*/site-packages/duckdb_extension_httpfs/extensions/*'),
  );
  const installed = join(home, '.duckdb/extensions', basename(extensions), platform.trim());
  await cp(extensions, installed, { recursive: true });
  running = await startRealService('--now', NOW);
  const service = `http://127.0.0.1:${running.port}`;
  const texts = cells.map(({ text }) => text.replaceAll('http://localhost:8080', service));
  printed = await runCells(python, texts, { ...env, LQE_TOKEN: running.service.localToken ?? '' });
});
afterAll(async () => {
  await running.close();
  await rm(home, { recursive: true });
});

describe('the cells of docs/notebooks.md', () => {
  test('use pandas, Polars and DuckDB', () => {
    const imports = cells.flatMap(({ text }) => text.match(/^import (?:pandas|polars|duckdb)\b/gm) ?? []);
    expect(imports.sort()).toEqual(['import duckdb', 'import pandas', 'import polars']);
  });

  test.each(cells.map((cell, index) => [cell.line, index, cell.output] as const))(
    'print what the page says (line %i)',
    (_, index, output) => {
      expect(output).not.toBeNull();
      expect(withoutTrailingSpace(printed[index] ?? '')).toBe(withoutTrailingSpace(output ?? ''));
    },
  );

  test('were run with the versions that the page names', () => {
    const page = readFileSync(PAGE, 'utf8').toLowerCase();
    const pinned = new Map(
      readFileSync(REQUIREMENTS, 'utf8')
        .split('\n')
        .map((line) => line.split('==') as [string, string | undefined]),
    );
    for (const name of ['pandas', 'polars', 'duckdb', 'requests']) {
      expect(page).toContain(`${name} ${pinned.get(name)}`);
    }
  });
});

/** Tables of Python fill lines with spaces, which pages do not keep. */
function withoutTrailingSpace(text: string): string {
  return text.replace(/ +$/gm, '').trim();
}
