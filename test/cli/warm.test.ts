import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { UsageError } from '../../cli/arguments/usage-error.ts';
import { runWarm } from '../../cli/warm.ts';
import { loadEndpoints } from '../../shared/endpoints/load-endpoints.ts';
import { jobName } from '../../shared/warming/scheduler/scheduler-address.ts';
import {
  type SchedulerServer,
  startScheduler,
} from '../shared/warming/scheduler/support/scheduler-server.ts';
import { type EndedHere, runHere } from './support/run-here.ts';
import { runLqe } from './support/run-lqe.ts';

const USAGE = 'projects/acme-logs/locations/europe-west1/jobs/lqe-warm-usage-api-counts';
const WHERE = ['--google-project', 'acme-logs', '--region', 'europe-west1'];

const ADDRESS = { googleProject: 'acme-logs', region: 'europe-west1', deployment: 'lqe' };
const WARMED = (await loadEndpoints('queries')).all
  .filter(({ warmEverySeconds }) => warmEverySeconds !== null)
  .map(({ name }) => name);

let cwd: string;
let server: SchedulerServer;
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'lqe-warm-'));
});
afterAll(() => rm(cwd, { recursive: true }));
beforeEach(async () => {
  const job = {
    lastAttemptTime: { seconds: 1_769_861_400 },
    scheduleTime: { seconds: 1_769_861_700 },
  };
  server = await startScheduler(Object.fromEntries(WARMED.map((name) => [jobName(ADDRESS, name), job])));
});
afterEach(() => server.stop());

const warm = (argv: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<EndedHere> =>
  runHere(runWarm, argv, { env: { LQE_SCHEDULER_EMULATOR_HOST: server.host, ...env } });

describe('lqe warm', () => {
  test('shows the job of each endpoint that is kept warm', async () => {
    const env = { LQE_GOOGLE_PROJECT: 'acme-logs', LQE_REGION: 'europe-west1' };
    const { code, stdout, stderr } = await runLqe(['warm', 'status'], {
      cwd,
      env: { LQE_SCHEDULER_EMULATOR_HOST: server.host, ...env },
    }).ended;
    expect([code, stderr]).toEqual([0, '']);
    const [head, ...rows] = stdout
      .trim()
      .split('\n')
      .map((line) => line.split(/ {2,}/));
    expect(head).toEqual(['ENDPOINT', 'STATE', 'SCHEDULE', 'LAST CALL', 'OUTCOME', 'NEXT CALL']);
    expect(rows).toEqual(
      WARMED.map((name) => [
        name,
        'enabled',
        '*/5 * * * * Etc/UTC',
        '2026-01-31T12:10:00.000Z',
        'ok',
        '2026-01-31T12:15:00.000Z',
      ]),
    );
  });

  test('shows jobs as JSON, and how a call failed without what would act on a terminal', async () => {
    server.jobs.set(USAGE, {
      ...server.jobs.get(USAGE),
      state: 'PAUSED',
      status: { code: 13, message: 'bad \u001b[2Jthing' },
    });
    const { code, stdout } = await warm(['status', ...WHERE, '--json']);
    expect(code).toBe(0);
    const jobs = JSON.parse(stdout) as { endpoint: string }[];
    expect(jobs.map(({ endpoint }) => endpoint)).toEqual(WARMED);
    expect(jobs.filter(({ endpoint }) => endpoint === 'usage.api-counts')).toEqual([
      {
        endpoint: 'usage.api-counts',
        job: USAGE,
        state: 'paused',
        schedule: '*/5 * * * *',
        timeZone: 'Etc/UTC',
        lastAttemptAt: '2026-01-31T12:10:00.000Z',
        lastFailure: { code: 13, message: 'bad \u001b[2Jthing' },
        nextRunAt: null,
      },
    ]);
    const table = await warm(['status', ...WHERE]);
    expect(table.stdout).toContain('failed: 13 bad \\u{1b}[2Jthing');
  });

  test.each([
    ['run', 'RunJob', 'calls now'],
    ['pause', 'PauseJob', 'paused'],
    ['resume', 'ResumeJob', 'resumed'],
  ])('%s does so for the endpoint that is named, by name or id', async (action, called, says) => {
    for (const endpoint of ['usage.api-counts', '9B4F8DF4-afd3-441b-ade3-8b772b745c37']) {
      const { code, stdout, stderr } = await warm([action, endpoint, ...WHERE]);
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toMatch(new RegExp(`^usage.api-counts: .*${says}`));
    }
    expect(server.calls).toEqual([`${called} ${USAGE}`, `${called} ${USAGE}`]);
  });

  test('ends with 1 and the remedy where the job is missing', async () => {
    server.jobs.clear();
    const { code, stdout, stderr } = await warm(['status', ...WHERE]);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^(?:The endpoint "[^"]+" has no warming job .* "terraform apply"\.\n)+$/);
    expect(stderr.trim().split('\n')).toHaveLength(WARMED.length);
  });

  test('ends with 1 where the account may not', async () => {
    server.failure = { code: 7, details: 'denied' };
    const { code, stderr } = await warm(['pause', ...WHERE]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^Cloud Scheduler .*roles\/cloudscheduler\.admin.*\.\n$/);
  });

  test('ends with 1 on a machine without Google credentials', async () => {
    const env = { METADATA_SERVER_DETECTION: 'none', HOME: cwd };
    const { code, stderr } = await runLqe(['warm', 'status', ...WHERE], { cwd, env }).ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(/^Cloud Scheduler .*no valid Google credentials on this machine.*\.\n$/);
  });

  test.each<[string, readonly string[], string]>([
    ['no action', [], '"warm" needs ACTION'],
    ['another action', ['satus', ...WHERE], 'Did you mean status?'],
    ['no project', ['status', '--region', 'europe-west1'], 'LQE_GOOGLE_PROJECT'],
    ['no region', ['status', '--google-project', 'acme-logs'], 'LQE_REGION'],
    ['an invalid region', ['status', '--google-project', 'acme-logs', '--region', 'EU'], "was given 'EU'"],
    ['an endpoint that is not kept warm', ['run', 'logs.all', ...WHERE], 'is not kept warm'],
    ['an unknown endpoint', ['run', 'usage.api-count', ...WHERE], 'did you mean usage.api-counts?'],
    ['an unknown option', ['run', '--regoin', 'x'], 'did you mean --region?'],
    ['too much', ['run', 'usage.api-counts', 'logs.all'], "takes no 'logs.all'"],
  ])('refuses %s and calls nothing', async (_, argv, words) => {
    const refused = warm(argv);
    await expect(refused).rejects.toThrow(UsageError);
    await expect(refused).rejects.toThrow(words);
    expect(server.calls).toEqual([]);
  });
});
