import { createRequire } from 'node:module';
import type { CloudSchedulerClient, protos } from '@google-cloud/scheduler';
import { lazy } from '../../concurrency/lazy.ts';
import { jobName, type SchedulerAddress } from './scheduler-address.ts';
import { schedulerFailure } from './scheduler-failure.ts';
import type { WarmingJob, WarmingJobs } from './warming-jobs.ts';

/** A person waits for it. */
const CALL_TIMEOUT_MS = 20_000;

type Job = protos.google.cloud.scheduler.v1.IJob;
type ClientOptions = NonNullable<ConstructorParameters<typeof CloudSchedulerClient>[0]>;
type Method = 'getJob' | 'runJob' | 'pauseJob' | 'resumeJob';

export interface CloudSchedulerOptions extends SchedulerAddress {
  /** `host:port` of a server that stands in for Google's and takes calls without credentials or encryption. */
  readonly emulatorHost: string | null;
}

/**
 * The jobs in Cloud Scheduler, called with the machine's own Google credentials. The client is loaded and connected
 * for the first call; no call is repeated, so that running a job runs it once.
 */
export function cloudSchedulerJobs(options: CloudSchedulerOptions): WarmingJobs {
  const connected = lazy(async (): Promise<CloudSchedulerClient> => {
    const { CloudSchedulerClient: Client } = await import('@google-cloud/scheduler');
    const { googleProject: projectId, emulatorHost } = options;
    if (emulatorHost !== null) return new Client({ projectId, ...emulated(emulatorHost) });
    const client = new Client({ projectId });
    // Without any credentials a call would end the process: the client leaves a rejected promise behind.
    await client.auth.getClient();
    return client;
  });

  async function call(method: Method, endpoint: string): Promise<WarmingJob> {
    try {
      const client = await connected();
      const request = { name: jobName(options, endpoint) };
      const [job] = await client[method](request, { timeout: CALL_TIMEOUT_MS, retry: null });
      return readJob(job);
    } catch (error) {
      throw schedulerFailure(options, endpoint, error);
    }
  }

  return {
    get: (endpoint) => call('getJob', endpoint),
    run: (endpoint) => call('runJob', endpoint),
    pause: (endpoint) => call('pauseJob', endpoint),
    resume: (endpoint) => call('resumeJob', endpoint),
    async close() {
      try {
        await (await connected.made())?.close();
      } catch {
        // It never was connected.
      }
    },
  };
}

function emulated(host: string): ClientOptions {
  const [, name = host, port = '80'] = /^(?:https?:\/\/)?(.+):(\d{1,5})$/.exec(host) ?? [];
  // Of the gax that the client itself uses: what another copy makes would not be recognised.
  const here = createRequire(import.meta.url);
  const { grpc, googleAuthLibrary } = createRequire(here.resolve('@google-cloud/scheduler'))('google-gax');
  return {
    apiEndpoint: name,
    port: Number(port),
    sslCreds: grpc.credentials.createInsecure(),
    // Without it the client looks for the metadata server of a machine in the cloud.
    auth: new googleAuthLibrary.GoogleAuth({ authClient: new googleAuthLibrary.PassThroughClient() }),
  };
}

function readJob(job: Job): WarmingJob {
  const { code, message } = job.status ?? {};
  return {
    name: job.name ?? '',
    state: STATES.get(String(job.state)) ?? 'unknown',
    schedule: job.schedule ?? '',
    timeZone: job.timeZone ?? '',
    lastAttemptMs: millisOf(job.lastAttemptTime),
    // Absent and 0 both stand for success (google.rpc.Code).
    lastFailure: code === undefined || code === null || code === 0 ? null : { code, message: message ?? '' },
    nextRunMs: job.state === 'PAUSED' ? null : millisOf(job.scheduleTime),
  };
}

const STATES: ReadonlyMap<string, WarmingJob['state']> = new Map([
  ['ENABLED', 'enabled'],
  ['PAUSED', 'paused'],
  ['DISABLED', 'disabled'],
  ['UPDATE_FAILED', 'update_failed'],
]);

function millisOf(time: protos.google.protobuf.ITimestamp | null | undefined): number | null {
  if (time === null || time === undefined) return null;
  return Number(time.seconds ?? 0) * 1000 + Math.floor((time.nanos ?? 0) / 1_000_000);
}
