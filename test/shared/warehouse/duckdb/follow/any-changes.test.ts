import { copyFileSync, existsSync, mkdirSync, renameSync, truncateSync } from 'node:fs';
import { afterEach, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type FollowedFolder, followedFolder, line } from './support/followed-folder.ts';

let logs: FollowedFolder | null = null;
afterEach(() => logs?.remove());

/** What is done to the files: lines written in parts, rotations, and new starts. */
const CHANGES = [
  'line',
  'line',
  'half',
  'rename',
  'rename away',
  'copy and truncate',
  'restart',
  'look',
] as const;

/** Every line that has ended is taken once, whatever is done to the files meanwhile. */
async function follow(changes: readonly (typeof CHANGES)[number][]): Promise<void> {
  logs = followedFolder();
  mkdirSync(logs.file('app_logs'));
  const now = 'app_logs/now.ndjson';
  let written = 0;
  let rest = '';
  let rotated = 0;
  const nextName = (extension: string) => `app_logs/old-${++rotated}.${extension}`;
  const next = () => {
    written += 1;
    return line(String(written).padStart(4, '0'), 1);
  };
  const expected = () => Array.from({ length: written }, (_, index) => String(index + 1).padStart(4, '0'));
  /** The line that was begun ends where it was begun. */
  const endLine = () => {
    if (rest !== '') logs?.append(now, rest);
    rest = '';
  };
  await logs.start();
  for (const change of changes) {
    if (change === 'half') {
      endLine();
      const text = next();
      logs.append(now, text.slice(0, 25));
      rest = text.slice(25);
      continue;
    }
    endLine();
    if (change === 'line') logs.append(now, next());
    if (change === 'restart') {
      await logs.stop();
      logs.append(now, next());
      await logs.start();
      // A file that was never seen cannot be known when it is cut and has another name by then.
      await logs.expectMessages(expected());
    }
    if (change === 'look') await logs.expectMessages(expected());
    if (!existsSync(logs.file(now))) continue;
    if (change === 'rename') renameSync(logs.file(now), logs.file(nextName('ndjson')));
    // A file that was never seen under its own name is not known under another one.
    if (change === 'rename away') {
      await logs.expectMessages(expected());
      logs.append(now, next());
      renameSync(logs.file(now), logs.file(nextName('1')));
      await logs.expectMessages(expected());
    }
    if (change === 'copy and truncate') {
      copyFileSync(logs.file(now), logs.file(nextName('ndjson')));
      truncateSync(logs.file(now));
    }
  }
  endLine();
  await logs.expectMessages(expected());
  expect(logs.warnings.filter((warning) => !/only .* files can lie in/.test(warning))).toEqual([]);
  await logs.remove();
  logs = null;
}

test('every line is taken once, whatever is done to the files', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...CHANGES), { minLength: 5, maxLength: 20 }), follow),
    { numRuns: 10, endOnFailure: true },
  );
});
