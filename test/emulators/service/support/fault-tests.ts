import { afterAll, expect, test } from '@jest/globals';
import type { Answer } from '../../../shared/http/support/http-client.ts';
import { forgetJobs } from '../../bigquery/support/emulated-dataset.ts';
import { FAULTS, type Fault } from '../faults.ts';
import { type Cloud, type Instance, makeCloud, newProject } from './cloud.ts';
import { makeLogs, RIGHT_ANSWER } from './logs.ts';

/** What no caller may get to read. */
const INSIDE = /emulated|BigQuery|Firestore|google|lqe_|logs_[0-9a-f]|127\.0\.0\.1|\bat .*\.ts/i;

const tried = new Set<Fault>();
let dataset: Promise<string> | null = null;

/** Tries a fault in its own cloud. */
export function fault(name: Fault, attempt: (cloud: Cloud) => Promise<void>): void {
  tried.add(name);
  test(name, async () => {
    dataset ??= makeLogs();
    const cloud = await makeCloud(await dataset);
    try {
      await attempt(cloud);
    } finally {
      await cloud.close();
      await forgetJobs();
    }
  });
}

/** Tests that no fault of the list was left out. */
export function everyFaultIsTried(): void {
  afterAll(() => expect([...tried].sort()).toEqual([...FAULTS].sort()));
}

/** The answer is the right one; resolves to where it came from. */
export function expectRight(answer: Answer): string {
  expect([answer.status, JSON.parse(answer.text)]).toEqual([200, RIGHT_ANSWER]);
  return String(answer.headers['x-cache']);
}

/** The answer is an error that tells nothing of the inside, and when to try again where that helps. */
export function expectError(answer: Answer, code: number, status: string): void {
  const { error } = answer.json() as { error: { code: number; status: string; message: string } };
  expect([answer.status, error.code, error.status]).toEqual([code, code, status]);
  expect(answer.text).not.toMatch(INSIDE);
  expect(error.message).toMatch(/\w+.*\.$/);
  const waitingHelps = code === 503 || code === 429;
  expect(answer.headers['retry-after'] ?? '').toMatch(waitingHelps ? /^\d+$/ : /^$/);
  expect(answer.headers['x-cache']).toBeUndefined();
}

/** Asks until the answer is the right one: what was broken is back, and the instance finds out by itself. */
export async function untilRight(ask: () => Promise<Answer>): Promise<void> {
  let answer = await ask();
  while (answer.status !== 200) {
    await pause();
    answer = await ask();
  }
  expectRight(answer);
}

/** Asks for fresh results until what one instance computes reaches the other. */
export async function untilShared(writer: Instance, reader: Instance): Promise<void> {
  for (;;) {
    const project = newProject();
    expectRight(await writer.counts(project));
    if (expectRight(await reader.counts(project)) === 'HIT') return;
    await pause();
  }
}

/** Resolves when a condition holds. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await pause();
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 200));
}
