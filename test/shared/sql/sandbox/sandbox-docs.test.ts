import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { RESERVED_PARAMETERS } from '../../../../shared/sql/sandbox/reserved-parameters.ts';
import { BOUND, sandbox } from './support/sandbox-of-logs.ts';

const page = readFileSync('docs/sandbox.md', 'utf8');

function blocks(language: string): string[] {
  return [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(
    ([, text = '']) => text,
  );
}

describe('docs/sandbox.md', () => {
  test('has examples', () => {
    expect(blocks('sql').length).toBeGreaterThanOrEqual(1);
    expect(blocks('sql refused').length).toBeGreaterThanOrEqual(4);
  });

  test.each(blocks('sql'))('shows a query that is accepted: %s', (sql) => {
    expect(sandbox.compile(sql, new Map(), BOUND).sources).toEqual(['edge_logs']);
  });

  test.each(blocks('sql refused'))('shows a query that is refused: %s', (sql) => {
    expect(() => sandbox.compile(sql, new Map(), BOUND)).toThrow(/line 1, column/);
  });

  test('names the parameters that are reserved', () => {
    for (const name of RESERVED_PARAMETERS) expect(page).toContain(`\`@${name}\``);
  });
});
