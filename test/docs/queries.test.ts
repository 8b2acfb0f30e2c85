import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { commandHelp } from '../../cli/arguments/help-text.ts';
import { COMMANDS } from '../../cli/commands/table.ts';
import { type RealService, rowsOf, startRealService } from '../data/support/real-service.ts';
import { codeBlocks } from './support/code-blocks.ts';
import { inlineCommands, lqeCommands, readCommand } from './support/lqe-commands.ts';
import { PAGES } from './support/pages.ts';

/** The clock that the pages' answers were given at. */
const NOW = '2026-01-31T12:10:00Z';

let running: RealService;
beforeAll(async () => {
  running = await startRealService('--now', NOW);
});
afterAll(() => running.close());

/** A query that a page shows, and how. */
interface ShownQuery {
  readonly language: 'sql' | 'lql';
  readonly text: string;
  /** Whether the page says that it is refused. */
  readonly isRefused: boolean;
}

/** What fenced blocks of the pages hold; of another kind there is none that goes unread by the tests. */
const KINDS = {
  '': 'a diagram',
  csv: 'an answer',
  hcl: 'a setting of terraform',
  json: 'an answer',
  'json line': 'an entry',
  'json panel': 'a query of Grafana, which is for grafana.test.ts',
  'json shape': 'the shape of an answer',
  lql: 'queries, one a line',
  'lql refused': 'queries that are refused',
  sh: 'commands',
  sql: 'a query',
  'sql endpoint': 'the stored query of an endpoint, which is for own-endpoints.test.ts',
  'sql refused': 'a query that is refused',
  'sql view': 'a view in BigQuery, which is for test/emulators/bigquery/logflare-views.test.ts',
  text: 'an answer',
  ini: 'settings of another program',
  jq: 'a filter of jq',
  python: 'a cell of a notebook, which is for test/notebooks',
  js: 'code',
  toml: 'settings of another program',
  ts: 'code',
  yaml: 'settings of another program',
};

function blocksOf(page: string): readonly ShownQuery[] {
  return codeBlocks(page).flatMap(({ info, text }): ShownQuery[] => {
    const [language, mark] = info.split(' ');
    if (info === 'sql endpoint' || info === 'sql view') return [];
    if (language === 'sql') return [{ language, text, isRefused: mark === 'refused' }];
    if (language !== 'lql') return [];
    return text
      .trim()
      .split('\n')
      .map((line) => ({ language, text: line, isRefused: mark === 'refused' }));
  });
}

/** Queries between backticks in the text: those that begin as SQL does, and LQL with a source and a clause. */
function inlineOf(page: string): readonly ShownQuery[] {
  const text = readFileSync(page, 'utf8').replace(/^```.*\n[\s\S]*?^```$/gm, '');
  const codes = [...text.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code.replaceAll('\\|', '|'));
  return codes.flatMap((code): ShownQuery[] => {
    if (/^select .*\bfrom \w/i.test(code)) return [{ language: 'sql', text: code, isRefused: false }];
    return /^f:\w+ \S/.test(code) ? [{ language: 'lql', text: code, isRefused: false }] : [];
  });
}

/** Queries in arguments of commands; one that is read from standard input stands elsewhere. */
function argumentsIn(commands: ReturnType<typeof lqeCommands>): readonly ShownQuery[] {
  return commands.flatMap(({ argv }) =>
    (['sql', 'lql'] as const).flatMap((language): ShownQuery[] => {
      const at = argv.indexOf(`--${language}`);
      const text = at === -1 ? undefined : argv[at + 1];
      return text === undefined || text === '-' ? [] : [{ language, text, isRefused: false }];
    }),
  );
}

async function expectToRun({ language, text, isRefused }: ShownQuery): Promise<void> {
  const answer = await running.ask('logs.all', new URLSearchParams({ project: 'demo', [language]: text }));
  if (isRefused) expect(answer.status).toBe(400);
  else expect(rowsOf(answer).length).toBeGreaterThan(0);
}

const SHOWN = PAGES.flatMap((page) =>
  [...blocksOf(page), ...inlineOf(page), ...argumentsIn(lqeCommands(page))].map(
    (query) => [page, query.text, query] as const,
  ),
);

describe('the queries of the pages', () => {
  test('are there in both languages, in blocks, in the text and in commands', () => {
    expect(PAGES.flatMap(blocksOf).length).toBeGreaterThan(10);
    expect(PAGES.flatMap(inlineOf).length).toBeGreaterThan(20);
    expect(PAGES.flatMap((page) => argumentsIn(lqeCommands(page))).length).toBeGreaterThanOrEqual(1);
  });

  test.each(SHOWN)('run, or are refused where the page says so (%s: %s)', (_, __, query) =>
    expectToRun(query),
  );

  test.each([...PAGES])('stand in blocks of a kind that is known: %s', (page) => {
    expect(
      codeBlocks(page)
        .map(({ info }) => info)
        .filter((info) => !(info in KINDS)),
    ).toEqual([]);
  });
});

describe('the queries in the help of commands', () => {
  const texts = Object.values(COMMANDS).map(commandHelp);
  const lines = texts.flatMap((text) => text.match(/^ *(?:npx )?lqe [a-z].*--(?:sql|lql) .*$/gm) ?? []);
  const commands = [...texts.flatMap(inlineCommands), ...lines.map((line) => readCommand(line.trim()))];
  const queries = argumentsIn(commands);

  test('run, where there are some', async () => {
    for (const query of queries) await expectToRun(query);
  });
});
