import { createRequire } from 'node:module';
import type { protos } from '@google-cloud/scheduler';
import type { grpc as Grpc, GrpcClient } from 'google-gax';

type Job = protos.google.cloud.scheduler.v1.IJob;

/** A job as a test describes it: what is left out is as after `terraform apply`. */
export type MadeJob = Pick<Job, 'lastAttemptTime' | 'scheduleTime' | 'status'> & {
  readonly state?: 'ENABLED' | 'PAUSED' | 'DISABLED' | 'UPDATE_FAILED';
};

/** A server that speaks Cloud Scheduler's protocol. */
export interface SchedulerServer {
  /** `host:port`. */
  readonly host: string;
  /** By their full names. */
  readonly jobs: Map<string, Job>;
  /** The calls so far: `PauseJob projects/…`. */
  readonly calls: readonly string[];
  /** What every call fails with from now on; null for none. */
  failure: { readonly code: number; readonly details: string } | null;
  stop(): void;
}

// The gRPC and the protocol buffers are those that the client itself is built on.
const here = createRequire(import.meta.url);
const inClient = createRequire(here.resolve('@google-cloud/scheduler'));
const gax: { grpc: typeof Grpc; GrpcClient: typeof GrpcClient } = inClient('google-gax');
const { grpc } = gax;

/** Starts the server on a free port of 127.0.0.1 with these jobs, by their full names. */
export async function startScheduler(jobs: Readonly<Record<string, MadeJob>> = {}): Promise<SchedulerServer> {
  const server = new grpc.Server();
  const calls: string[] = [];
  const running: SchedulerServer = {
    host: '',
    jobs: new Map(Object.entries(jobs).map(([name, job]) => [name, completeJob(name, job)])),
    calls,
    failure: null,
    stop: () => server.forceShutdown(),
  };
  const method =
    (called: string, change: (job: Job) => Job): Grpc.handleUnaryCall<{ name: string }, Job> =>
    ({ request: { name } }, answer) => {
      calls.push(`${called} ${name}`);
      const job = running.jobs.get(name);
      if (running.failure !== null) answer(running.failure);
      else if (job === undefined) answer({ code: grpc.status.NOT_FOUND, details: 'Job not found.' });
      else {
        const changed = change(job);
        running.jobs.set(name, changed);
        answer(null, changed);
      }
    };
  server.addService(serviceDefinition(), {
    getJob: method('GetJob', (job) => job),
    runJob: method('RunJob', (job) => job),
    pauseJob: method('PauseJob', (job) => ({ ...job, state: 'PAUSED' })),
    resumeJob: method('ResumeJob', (job) => ({ ...job, state: 'ENABLED' })),
  });
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', grpc.ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  return Object.assign(running, { host: `127.0.0.1:${port}` });
}

/** CloudScheduler as the client's own package describes it. */
function serviceDefinition(): Grpc.ServiceDefinition {
  const root = new gax.GrpcClient().loadProtoJSON(inClient('../protos/protos.json'));
  const found = ['google', 'cloud', 'scheduler', 'v1', 'CloudScheduler'].reduce<unknown>(
    (at, name) => (at as Record<string, unknown>)[name],
    root,
  );
  return (found as Grpc.ServiceClientConstructor).service;
}

function completeJob(name: string, job: MadeJob): Job {
  return { name, state: 'ENABLED', schedule: '*/5 * * * *', timeZone: 'Etc/UTC', ...job };
}
