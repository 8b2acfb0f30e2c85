import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Firestore } from '@google-cloud/firestore';
import { firestoreTokenRegistry } from '../../../../shared/access/firestore/firestore-token-registry.ts';
import { issueToken } from '../../../../shared/access/issue-token.ts';
import { NO_LIMITS, type TokenLimits } from '../../../../shared/access/token-limits.ts';
import { firestoreConnection } from '../../../../shared/firestore/firestore-connection.ts';
import { type Answer, type Call, call } from '../../../shared/http/support/http-client.ts';
import { EMULATED_PROJECT } from '../../support/bigquery-emulator.ts';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';
import { type BigQueryWay, startBigQueryWay } from './bigquery-way.ts';
import { NOW } from './logs.ts';

/** What every instance knows without asking Firestore, in tests that are not about tokens. */
const OWN_TOKEN = 'token-of-the-instances-themselves';
/** A query is cancelled after so long where a test does not say otherwise: longer than any takes on a busy machine. */
const DEADLINE_MS = 60_000;
/** How long an answer may take besides the query, with all that is waited for, on a machine that has other work. */
const LONGEST_WAIT_MS = 30_000;

/** One instance, its own process. */
export interface Instance {
  /** The way that it reaches Firestore on, and that to BigQuery. */
  readonly firestore: TcpProxy;
  readonly bigquery: BigQueryWay;
  /** The messages of its log, with their lines. */
  readonly log: readonly string[];
  /**
   * Asks usage.api-counts for a project, with a token that needs no Firestore unless one is given; fails when the answer
   * takes longer than a caller may have to wait.
   */
  counts(project: string, token?: string, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  send(path: string, options?: Call): Promise<Answer>;
  /** What a scheduler does. */
  warm(): Promise<Answer>;
  /** Lets it have no CPU time until it is thawed. */
  freeze(): void;
  thaw(): void;
  /** Ends it at once, whatever it is doing. */
  kill(): Promise<void>;
}

/** A database in Firestore, an access token in it that is looked up there once a minute, and the instances that share them. */
export interface Cloud {
  readonly database: Firestore;
  readonly token: string;
  addToken(name: string, limits?: TokenLimits): Promise<{ readonly token: string; readonly digest: string }>;
  startInstance(options?: InstanceOptions): Promise<Instance>;
  close(): Promise<void>;
}

export interface InstanceOptions {
  /** By how much its wall clock goes wrong. */
  readonly wallOffsetMs?: number;
  /** Whether Firestore cannot be reached when it starts. */
  readonly withoutFirestore?: boolean;
  /** After how long a query is cancelled. */
  readonly deadlineMs?: number;
}

/** Makes its own database over logs that are there; instances run as in the cloud, on ways that can be made bad. */
export async function makeCloud(dataset: string): Promise<Cloud> {
  const host = process.env.FIRESTORE_EMULATOR_HOST ?? '';
  const name = `faults-${randomBytes(8).toString('hex')}`;
  const connection = firestoreConnection({ googleProject: EMULATED_PROJECT, database: name });
  const registry = firestoreTokenRegistry(connection, 60_000);
  const closing: (() => Promise<unknown>)[] = [];

  const addToken: Cloud['addToken'] = async (tokenName, limits = NO_LIMITS) => {
    const request = {
      name: tokenName,
      endpoints: null,
      projects: null,
      expiresAtMs: null,
      limits,
    };
    const { token, record } = issueToken(request, Date.now());
    await registry.add(record);
    return { token, digest: record.digest };
  };
  const { token } = await addToken('faults');

  async function startInstance(options: InstanceOptions = {}): Promise<Instance> {
    const [firestore, bigquery] = [await startTcpProxy(host), await startBigQueryWay()];
    firestore.isDown = options.withoutFirestore ?? false;
    const { deadlineMs = DEADLINE_MS } = options;
    const env = {
      ...process.env,
      LQE_WAREHOUSE: 'bigquery',
      LQE_CACHE: 'firestore',
      LQE_TOKEN_STORE: 'firestore',
      LQE_GOOGLE_PROJECT: EMULATED_PROJECT,
      LQE_FIRESTORE_DATABASE: name,
      LQE_BIGQUERY_DATASET: dataset,
      LQE_TOKEN: OWN_TOKEN,
      LQE_DEADLINE: String(deadlineMs),
      LQE_NOW: NOW,
      LQE_LOG_FORMAT: 'json',
      FIRESTORE_EMULATOR_HOST: firestore.host,
      BIGQUERY_EMULATOR_HOST: bigquery.host,
    };
    const child = fork(
      'test/emulators/service/support/service-process.ts',
      [String(options.wallOffsetMs ?? 0)],
      { execArgv: [], env, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] },
    );
    const log: string[] = [];
    createInterface({ input: child.stdout! }).on('line', (line) => log.push(line));
    const kill = async () => {
      const gone = isRunning(child) ? once(child, 'exit') : null;
      child.kill('SIGKILL');
      await gone;
    };
    closing.push(async () => {
      await kill();
      await firestore.close();
      await bigquery.close();
    });
    const died = once(child, 'exit').then(() => {
      throw new Error('the instance did not start');
    });
    died.catch(() => {});
    const [port] = (await Promise.race([once(child, 'message'), died])) as [number];
    const send: Instance['send'] = (path, callOptions) =>
      inTime(call(port, path, callOptions), deadlineMs + LONGEST_WAIT_MS);
    return {
      firestore,
      bigquery,
      log,
      send,
      kill,
      freeze: () => void child.kill('SIGSTOP'),
      thaw: () => void child.kill('SIGCONT'),
      counts: (project, key = OWN_TOKEN, headers = {}) =>
        send(
          `/api/endpoints/query/usage.api-counts?${new URLSearchParams({ interval: 'hourly', project })}`,
          {
            headers: { 'x-api-key': key, ...headers },
          },
        ),
      warm: () =>
        send('/warm', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{"endpoint":"usage.api-counts"}',
        }),
    };
  }

  return {
    database: (await connection.open()).database,
    token,
    addToken,
    startInstance,
    close: async () => {
      for (const close of closing) await close();
      await connection.close();
    },
  };
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

async function inTime<T>(work: Promise<T>, mostMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer in ${mostMs} ms`)), mostMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** A pattern that fits the logs, and that no one else asks for. */
export function newProject(): string {
  return `acme|${randomUUID()}`;
}
