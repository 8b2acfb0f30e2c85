import {
  copyFileSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ServiceError } from '../../../../../shared/errors/service-error.ts';
import { SCHEMAS } from '../loading/log-folder.ts';
import { type FollowedFolder, followedFolder, line } from './support/followed-folder.ts';

let logs: FollowedFolder;
beforeEach(() => {
  logs = followedFolder();
});
afterEach(() => logs.remove());

describe('what files have at the start is loaded, and read on', () => {
  test('lines that are added are taken once, in order of time with the others', async () => {
    logs.write('app_logs.ndjson', line('a', 1, { id: 'a' }) + line('d', 4, { id: 'd' }));
    await logs.start();
    await logs.expectMessages(['a', 'd']);
    logs.append('app_logs.ndjson', line('c', 3) + line('b', 2));
    await logs.expectMessages(['a', 'b', 'c', 'd']);
    logs.append('app_logs.ndjson', line('e', 5));
    await logs.expectMessages(['a', 'b', 'c', 'd', 'e']);
  });

  test('a field that no entry had before becomes a column, as when files are loaded', async () => {
    logs.write('app_logs.ndjson', line('a', 1, { id: 'a' }));
    await logs.start();
    logs.append('app_logs.ndjson', line('b', 2, { region: 'eu' }));
    await logs.expectMessages(['a', 'b']);
    expect(await logs.rows("SELECT event_message FROM logs.app_logs WHERE region = 'eu'")).toHaveLength(1);
  });

  test('a line is taken when it has ended, however it was written', async () => {
    const whole = line('whole', 1, { id: 'x' });
    logs.write('app_logs.ndjson', whole.slice(0, 20));
    await logs.start();
    await logs.expectMessages([]);
    logs.append('app_logs.ndjson', whole.slice(20, 30));
    await sleep(100);
    await logs.expectMessages([]);
    logs.append('app_logs.ndjson', whole.slice(30) + line('next', 2).slice(0, 10));
    await logs.expectMessages(['whole']);
    expect(logs.warnings).toEqual([]);
  });

  test('a last line without an end is taken once it is a whole object and nothing was added for a second', async () => {
    logs.write('app_logs.ndjson', line('a', 1, { id: 'a' }) + line('b', 2).trimEnd());
    await logs.start();
    await logs.expectMessages(['a', 'b']);
    logs.append('app_logs.ndjson', `\n${line('c', 3)}`);
    await logs.expectMessages(['a', 'b', 'c']);
    expect(logs.warnings).toEqual([]);
  });

  test('malformed lines are named by file, line and field, and the others are taken', async () => {
    logs.write('app_logs.ndjson', line('a', 1, { id: 'a' }));
    await logs.start();
    logs.append(
      'app_logs.ndjson',
      `${line('b', 2)}not JSON\n\n[1]\n${line('c', 3, { count: 'many' })}${line('d', 4)}${'{"a":1\n'.repeat(10)}${line('e', 5)}`,
    );
    await logs.expectMessages(['a', 'b', 'd', 'e']);
    const path = logs.file('app_logs.ndjson');
    expect(logs.warnings).toHaveLength(5);
    expect(logs.warnings[0]).toMatch(`${path}, line 3: it is not JSON: `);
    expect(logs.warnings[1]).toMatch(`${path}, line 5: it is not a JSON object; the line was left out`);
    expect(logs.warnings[2]).toMatch(/, line 6: count: .*; the line was left out$/);
    expect(logs.warnings[3]).toMatch(/, line 8: it is not JSON/);
    await logs.stop();
    expect(logs.warnings[5]).toBe(`${path}: 8 more malformed lines were left out`);
  });

  test('a line that is longer than an entry may be is left out, and the next one is taken', async () => {
    await logs.start();
    logs.write('app_logs.ndjson', '{"a":"');
    for (let part = 0; part < 12; part += 1) logs.append('app_logs.ndjson', 'x'.repeat(1024 * 1024));
    await logs.expectWarning(/app_logs\.ndjson, line 1: it is longer than 10 MiB/);
    logs.append('app_logs.ndjson', `x"}\n${line('after', 1)}`);
    await logs.expectMessages(['after']);
    expect(logs.warnings).toHaveLength(1);
  });
});

describe('files that appear', () => {
  test('are read from their start, folders of a source and compressed files as well', async () => {
    await logs.start();
    logs.write('app_logs.ndjson', line('a', 1));
    mkdirSync(logs.file('app_logs'));
    logs.write('app_logs/more.ndjson', line('b', 2));
    logs.write('app_logs/old.ndjson.gz', gzipSync(line('c', 3) + line('d', 4).trimEnd()));
    await logs.expectMessages(['a', 'b', 'c', 'd']);
    expect(logs.warnings).toEqual([]);
  });

  test('and are compressed are read on when more was added, as far as they are whole', async () => {
    const [first, second] = [gzipSync(line('a', 1)), gzipSync(line('b', 2))];
    await logs.start();
    logs.write('app_logs.ndjson.gz', first.subarray(0, 20));
    await sleep(500);
    logs.write('app_logs.ndjson.gz', first);
    await logs.expectMessages(['a']);
    logs.write('app_logs.ndjson.gz', Buffer.concat([first, second]));
    await logs.expectMessages(['a', 'b']);
    logs.write('edge_logs.ndjson.gz', 'not gzip');
    await logs.expectWarning(/edge_logs\.ndjson\.gz: it is not valid gzip data/);
  });

  test('under names that are not loaded are named once', async () => {
    await logs.start();
    logs.write('ap_logs.ndjson', line('a', 1));
    logs.write('app_logs.txt', line('a', 1));
    logs.write('edge_logs.parquet', 'PAR1');
    await logs.expectWarning(
      /ap_logs\.ndjson is not loaded: no source has this name; did you mean app_logs\?/,
    );
    await logs.expectWarning(/app_logs\.txt is not loaded: only/);
    await logs.expectWarning(/edge_logs\.parquet is not loaded: while files are followed/);
    await sleep(200);
    expect(logs.warnings).toHaveLength(3);
  });

  test('through symbolic links are followed to where they lead', async () => {
    logs.write('.real', line('a', 1));
    await logs.start();
    symlinkSync(logs.file('.real'), logs.file('app_logs.ndjson'));
    await logs.expectMessages(['a']);
    logs.append('.real', line('b', 2));
    await logs.expectMessages(['a', 'b']);
  });

  test('under two names are taken once', async () => {
    logs.write('app_logs.ndjson', line('a', 1));
    mkdirSync(logs.file('app_logs'));
    await logs.start();
    linkSync(logs.file('app_logs.ndjson'), logs.file('app_logs/same.ndjson'));
    logs.append('app_logs.ndjson', line('b', 2));
    await logs.expectMessages(['a', 'b']);
    await sleep(100);
    await logs.expectMessages(['a', 'b']);
  });

  test('in a folder that is removed and made again are read', async () => {
    await logs.start();
    rmSync(logs.path, { recursive: true });
    await logs.expectWarning(/logs: there is no such folder that can be read/);
    mkdirSync(logs.path);
    logs.write('app_logs.ndjson', line('a', 1));
    await logs.expectMessages(['a']);
  });

  test('and cannot be read are named, and read when they can', async () => {
    await logs.start();
    symlinkSync(logs.file('app_logs.ndjson'), logs.file('app_logs.ndjson'));
    await logs.expectWarning(/app_logs\.ndjson: it cannot be read/);
    rmSync(logs.file('app_logs.ndjson'));
    logs.write('app_logs.ndjson', line('a', 1));
    await logs.expectMessages(['a']);
  });
});

describe('files that are rotated', () => {
  test('by a new name and a new file are read to their end under the old one', async () => {
    logs.write('app_logs.ndjson', line('a', 1));
    await logs.start();
    logs.append('app_logs.ndjson', line('b', 2));
    renameSync(logs.file('app_logs.ndjson'), logs.file('app_logs.ndjson.1'));
    logs.write('app_logs.ndjson', line('d', 4));
    logs.append('app_logs.ndjson.1', line('c', 3));
    await logs.expectMessages(['a', 'b', 'c', 'd']);
    logs.append('app_logs.ndjson', line('e', 5));
    await logs.expectMessages(['a', 'b', 'c', 'd', 'e']);
    expect(logs.warnings).toEqual([]);
  });

  test('and compressed then are not read again', async () => {
    mkdirSync(logs.file('app_logs'));
    logs.write('app_logs/now.ndjson', line('a', 1) + line('b', 2));
    await logs.start();
    logs.append('app_logs/now.ndjson', line('c', 3));
    await logs.expectMessages(['a', 'b', 'c']);
    rmSync(logs.file('app_logs/now.ndjson'));
    logs.write('app_logs/old.ndjson.gz', gzipSync(line('a', 1) + line('b', 2) + line('c', 3) + line('d', 4)));
    logs.write('app_logs/now.ndjson', line('e', 5));
    await logs.expectMessages(['a', 'b', 'c', 'd', 'e']);
  });

  test('by a copy, after which they are truncated, are taken once, what only the copy has as well', async () => {
    mkdirSync(logs.file('app_logs'));
    logs.write('app_logs/now.ndjson', line('a', 1));
    await logs.start();
    logs.append('app_logs/now.ndjson', line('b', 2));
    await logs.expectMessages(['a', 'b']);
    logs.append('app_logs/now.ndjson', line('c', 3));
    copyFileSync(logs.file('app_logs/now.ndjson'), logs.file('app_logs/old.ndjson'));
    truncateSync(logs.file('app_logs/now.ndjson'));
    await logs.expectMessages(['a', 'b', 'c']);
    logs.append('app_logs/now.ndjson', line('d', 4));
    await logs.expectMessages(['a', 'b', 'c', 'd']);
    await sleep(100);
    await logs.expectMessages(['a', 'b', 'c', 'd']);
  });

  test('by truncation are read from their start, though they have grown as long as before', async () => {
    logs.write('app_logs.ndjson', line('a', 1) + line('b', 2));
    await logs.start();
    await logs.expectMessages(['a', 'b']);
    logs.write('app_logs.ndjson', line('c', 3) + line('d', 4) + line('e', 5));
    await logs.expectMessages(['a', 'b', 'c', 'd', 'e']);
  });

  test('by removal are read to their end', async () => {
    logs.write('app_logs.ndjson', '');
    await logs.start();
    logs.append('app_logs.ndjson', line('a', 1));
    await logs.expectMessages(['a']);
    logs.append('app_logs.ndjson', line('b', 2));
    rmSync(logs.file('app_logs.ndjson'));
    await logs.expectMessages(['a', 'b']);
  });
});

describe('a later start with the same database', () => {
  test('goes on where the last one stopped', async () => {
    logs.write('app_logs.ndjson', line('a', 1));
    logs.write('edge_logs.ndjson.gz', gzipSync('{"timestamp":1,"metadata":{"status":200}}\n'));
    await logs.start();
    logs.append('app_logs.ndjson', line('b', 2));
    await logs.expectMessages(['a', 'b']);
    await logs.stop();
    logs.append('app_logs.ndjson', line('c', 3));
    await logs.start();
    await logs.expectMessages(['a', 'b', 'c']);
    expect(await logs.rows('SELECT id FROM logs.edge_logs')).toHaveLength(1);
  });

  test('takes what was rotated away meanwhile, and what was written since', async () => {
    logs.write('app_logs.ndjson', line('a', 1));
    await logs.start();
    await logs.stop();
    logs.append('app_logs.ndjson', line('b', 2));
    renameSync(logs.file('app_logs.ndjson'), logs.file('app_logs.ndjson.1'));
    logs.write('app_logs.ndjson', line('c', 3));
    await logs.start();
    await logs.expectMessages(['a', 'b', 'c']);
    expect(logs.warnings).toEqual([]);
  });

  test('takes nothing twice that was stored when the last one ended before it could write that down', async () => {
    logs.write('app_logs.ndjson', line('a', 1));
    await logs
      .start((sink) => ({
        append: async (source, entries) => {
          await sink.append(source, entries);
          throw new Error('the end');
        },
      }))
      .catch(() => {});
    logs.append('app_logs.ndjson', line('b', 2) + line('c', 3));
    await logs.expectMessages(['a', 'b', 'c']);
    await logs.stop().catch(() => {});
    await logs.start();
    logs.append('app_logs.ndjson', line('d', 4));
    await logs.expectMessages(['a', 'b', 'c', 'd']);
  });

  test('reads no files of a source that the database has no table for, and says so', async () => {
    await logs.start();
    await logs.stop();
    const app = SCHEMAS.get('app_logs')!;
    logs.write('new_logs.ndjson', line('a', 1));
    logs.write('app_logs.ndjson', line('b', 2));
    await logs.start(undefined, new Map([...SCHEMAS, ['new_logs', app]]));
    await logs.expectMessages(['b']);
    expect(logs.warnings).toContainEqual(
      expect.stringMatching(/logs\.duckdb has no table for the source new_logs; its files are not read;/),
    );
  });

  test('is refused where what was written down of it cannot be used', async () => {
    await logs.start();
    await logs.stop();
    const state = `${logs.databaseFile}.live/followed.json`;
    for (const content of ['{', '{"version":2,"files":[]}', '{"version":1,"files":[{}]}']) {
      writeFileSync(state, content);
      await expect(logs.start()).rejects.toThrow(`${state}: this version of this program did not write it`);
    }
  });

  test('without following is refused, as it would show entries twice', async () => {
    logs.write('app_logs.ndjson', line('a', 1));
    await logs.start();
    await logs.stop();
    await expect(logs.load()).rejects.toThrow(/keeps entries that were followed .* add --follow/);
    rmSync(logs.databaseFile);
    await expect(logs.start()).rejects.toThrow(/put the database file back/);
  });
});

test('entries that cannot be stored now are stored later', async () => {
  let left = 3;
  await logs.start((sink) => ({
    append: async (source, entries) => {
      left -= 1;
      if (left === 0) throw new ServiceError('unavailable', 'the disk is full');
      if (left > 0) throw new ServiceError('resource_exhausted', 'too many entries wait');
      return sink.append(source, entries);
    },
  }));
  logs.write('app_logs.ndjson', line('a', 1) + line('b', 2));
  await logs.expectMessages(['a', 'b']);
  expect(left).toBeLessThan(0);
});

test('a file that is larger than what is read at once is taken as a whole, and others meanwhile', async () => {
  await logs.start();
  const many = Array.from({ length: 30_000 }, (_, index) => line(String(index), 1, { doc: { index } }));
  logs.write('app_logs.ndjson', many.join(''));
  logs.write('edge_logs.ndjson', '{"timestamp":1}\n');
  const counts = async (source: string) => logs.rows(`SELECT COUNT(*) AS n FROM logs.${source}`);
  for (const [source, expected] of [
    ['edge_logs', 1],
    ['app_logs', 30_000],
  ] as const) {
    let found: readonly string[] = [];
    for (let tries = 0; tries < 600; tries += 1) {
      found = await counts(source);
      if (found[0] === `{"n":${expected}}`) break;
      await sleep(50);
    }
    expect(found).toEqual([`{"n":${expected}}`]);
  }
});
