import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { cloudSchedulerJobs } from '../../../../shared/warming/scheduler/cloud-scheduler-jobs.ts';
import type { WarmingJobs } from '../../../../shared/warming/scheduler/warming-jobs.ts';
import { type MadeJob, type SchedulerServer, startScheduler } from './support/scheduler-server.ts';

const ADDRESS = { googleProject: 'acme-logs', region: 'europe-west1', deployment: 'lqe' };
const USAGE = 'projects/acme-logs/locations/europe-west1/jobs/lqe-warm-usage-api-counts';

let server: SchedulerServer;
let jobs: WarmingJobs;
async function start(job: MadeJob = {}): Promise<void> {
  server = await startScheduler({ [USAGE]: job });
  jobs = cloudSchedulerJobs({ ...ADDRESS, emulatorHost: server.host });
}
beforeEach(() => start());
afterEach(async () => {
  await jobs.close();
  server.stop();
});

describe('the job of an endpoint', () => {
  test('is the one that the deployment names after it', async () => {
    expect(await jobs.get('usage.api-counts')).toEqual({
      name: USAGE,
      state: 'enabled',
      schedule: '*/5 * * * *',
      timeZone: 'Etc/UTC',
      lastAttemptMs: null,
      lastFailure: null,
      nextRunMs: null,
    });
    expect(server.calls).toEqual([`GetJob ${USAGE}`]);
  });

  test('reports its last call and its next', async () => {
    server.stop();
    await start({
      lastAttemptTime: { seconds: 1_769_861_400, nanos: 123_456_789 },
      scheduleTime: { seconds: 1_769_861_700 },
      status: { code: 7, message: 'not allowed' },
    });
    expect(await jobs.get('usage.api-counts')).toMatchObject({
      lastAttemptMs: 1_769_861_400_123,
      lastFailure: { code: 7, message: 'not allowed' },
      nextRunMs: 1_769_861_700_000,
    });
  });

  test('has not failed when its last call ended with code 0, and has no next call while it is paused', async () => {
    server.stop();
    await start({ status: { code: 0 }, scheduleTime: { seconds: 1 }, state: 'PAUSED' });
    expect(await jobs.get('usage.api-counts')).toMatchObject({ lastFailure: null, nextRunMs: null });
  });

  test.each([
    ['ENABLED', 'enabled'],
    ['PAUSED', 'paused'],
    ['DISABLED', 'disabled'],
    ['UPDATE_FAILED', 'update_failed'],
  ] as const)('in the state %s is %s', async (state, expected) => {
    server.stop();
    await start({ state });
    expect((await jobs.get('usage.api-counts')).state).toBe(expected);
  });

  test('is run, paused and resumed', async () => {
    await jobs.run('usage.api-counts');
    expect((await jobs.pause('usage.api-counts')).state).toBe('paused');
    expect((await jobs.resume('usage.api-counts')).state).toBe('enabled');
    expect(server.calls).toEqual([`RunJob ${USAGE}`, `PauseJob ${USAGE}`, `ResumeJob ${USAGE}`]);
  });
});

describe('a call that fails', () => {
  test('for a job that is not there names the endpoint, the region and the project', async () => {
    await expect(jobs.pause('logs.all')).rejects.toMatchObject({
      kind: 'not_found',
      message: expect.stringContaining(
        'The endpoint "logs.all" has no warming job in the region "europe-west1" of the project "acme-logs"',
      ),
    });
  });

  test.each([
    [3, 'invalid_argument', 'check both'],
    [4, 'unavailable', 'no answer in time'],
    [7, 'permission_denied', 'roles/cloudscheduler.admin'],
    [8, 'unavailable', 'quota'],
    [9, 'unavailable', 'not in a state'],
    [13, 'unavailable', 'the call failed'],
    [14, 'unavailable', 'cannot be reached'],
    [16, 'unavailable', 'gcloud auth application-default login'],
  ])('with code %i is reported as %s, once', async (code, kind, words) => {
    server.failure = { code, details: 'inside' };
    const failed = jobs.run('usage.api-counts');
    await expect(failed).rejects.toMatchObject({ kind, message: expect.stringContaining(words) });
    await expect(failed).rejects.not.toMatchObject({ message: expect.stringContaining('inside') });
    expect(server.calls).toHaveLength(1);
  });

  test('as nothing listens has a message that says this', async () => {
    const away = cloudSchedulerJobs({ ...ADDRESS, emulatorHost: '127.0.0.1:1' });
    await expect(away.get('usage.api-counts')).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('cannot be reached'),
    });
    await away.close();
  });
});

test('closing what was never used does nothing', async () => {
  await expect(cloudSchedulerJobs({ ...ADDRESS, emulatorHost: null }).close()).resolves.toBeUndefined();
});
