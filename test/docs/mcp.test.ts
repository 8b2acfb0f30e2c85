import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import * as z from 'zod';
import { findCommand } from '../../cli/commands/table.ts';
import { MAX_ROWS_CHARACTERS } from '../../shared/mcp/rows-text.ts';
import { codeBlocks } from './support/code-blocks.ts';
import { readCommand } from './support/lqe-commands.ts';

const PAGE = 'docs/mcp.md';
const page = readFileSync(PAGE, 'utf8');

/** A configuration of the kind that agents read: one server, which is a URL or a command. */
const configuration = z.strictObject({
  mcpServers: z.strictObject({
    logs: z.union([
      z.strictObject({
        type: z.literal('http'),
        url: z.url(),
        headers: z.strictObject({ Authorization: z.string().startsWith('Bearer ') }),
      }),
      z.strictObject({
        command: z.string(),
        args: z.array(z.string()),
        env: z.strictObject({ LQE_URL: z.url(), LQE_TOKEN: z.string() }),
      }),
    ]),
  }),
});
const servers = codeBlocks(PAGE)
  .filter(({ info }) => info === 'json')
  .map(({ text }) => configuration.parse(JSON.parse(text)).mcpServers.logs);

describe('docs/mcp.md', () => {
  test('has a configuration for each way', () => {
    expect(servers.map((server) => ('url' in server ? 'url' : 'command'))).toEqual(['url', 'command']);
  });

  test('has the path that the service serves', () => {
    const urls = servers.flatMap((server) => ('url' in server ? [new URL(server.url).pathname] : []));
    expect(urls).toEqual(['/mcp']);
  });

  test('has a command that lqe has', () => {
    const commands = servers.flatMap((server) =>
      'command' in server ? [readCommand([server.command, ...server.args].join(' '))] : [],
    );
    expect(commands.map(({ name, argv }) => [findCommand(name).name, argv])).toEqual([['mcp', []]]);
  });

  test('has the size at which rows are cut', () => {
    expect(page).toContain(`fit into ${MAX_ROWS_CHARACTERS.toLocaleString('en')} characters`);
  });

  // test/shared/mcp has the same names from the server.
  test.each(['query', 'explain', 'sources', 'logs_all', 'usage_api_counts'])('lists the tool %s', (name) => {
    expect(page).toContain(`\`${name}\``);
  });
});
