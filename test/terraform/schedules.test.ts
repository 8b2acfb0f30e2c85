import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { codeFolder } from './support/code-folder.ts';
import { instances } from './support/resources.ts';
import { applied, GIVEN, type Outcome, terraformTest } from './support/terraform-test.ts';

const EVEN: readonly (readonly [seconds: number, schedule: string])[] = [
  ...[1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30].map((minutes) => [minutes * 60, `*/${minutes} * * * *`] as const),
  ...[1, 2, 3, 4, 6, 8, 12].map((hours) => [hours * 3600, `0 */${hours} * * *`] as const),
  [86_400, '0 0 * * *'],
];

/** Zero, less than a minute, half minutes, what divides no hour, what divides no day, more than a day. */
const UNEVEN = [0, 30, 90, 420, 2700, 5400, 18_000, 36_000, 90_000, 172_800];

const folders: string[] = [];
let even: Outcome | undefined;
let uneven: Outcome | undefined;
beforeAll(async () => {
  const periods = (all: readonly number[]) =>
    Object.fromEntries(all.map((seconds) => [`every.${seconds}`, seconds]));
  folders.push(await codeFolder({ ...periods(EVEN.map(([seconds]) => seconds)), never: null }));
  folders.push(await codeFolder(periods(UNEVEN)));
  const [evenFolder, unevenFolder] = folders;
  const outcomes = await terraformTest({
    even: applied(`${GIVEN}\n  code_directory = "${evenFolder}"`),
    uneven: applied(`${GIVEN}\n  code_directory = "${unevenFolder}"`),
  });
  even = outcomes.get('even');
  uneven = outcomes.get('uneven');
});
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

describe('the schedule of an endpoint', () => {
  test('is each period that cron can express, and there is none without warming', () => {
    const jobs = [...instances(even?.resources ?? [], 'google_cloud_scheduler_job', 'warm')];
    expect(new Map(jobs.map(([name, { schedule }]) => [name, schedule]))).toEqual(
      new Map([...EVEN.map(([seconds, schedule]) => [`every-${seconds}`, schedule] as const)].sort()),
    );
  });

  test.each(UNEVEN)('is refused with a sentence for %d seconds', (seconds) => {
    expect(uneven?.errors).toContain(
      `The endpoint every.${seconds} has warmEverySeconds ${seconds}, which cron cannot express: choose minutes that divide an hour (60, 120, 180, 240, 300, 360, 600, 720, 900, 1200 or 1800 seconds) or hours that divide a day (3600, 7200, 10800, 14400, 21600, 28800, 43200 or 86400 seconds).`,
    );
  });
});
