import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../support/free-port.ts';

/**
 * - `npm`: the parser of @fivetrandevelopers/zetasql; one native program, but older than pipe syntax
 * - `newer`: com.google.zetasql 2024.11.1, which needs Java 17 and `npm run oracle:newer`
 */
export type OracleVersion = 'npm' | 'newer';

/** The parts of @grpc/grpc-js and @grpc/proto-loader used here; the project itself does not install them. */
interface Grpc {
  readonly credentials: { createInsecure(): unknown };
  loadPackageDefinition(definition: unknown): {
    zetasql: {
      local_service: { ZetaSqlLocalService: new (address: string, how: unknown, options: object) => Client };
    };
  };
}
interface ProtoLoader {
  loadSync(file: string, options: object): unknown;
  loadFileDescriptorSetFromBuffer(descriptors: Buffer, options: object): unknown;
}
export type MethodName = 'Parse' | 'ExtractTableNamesFromStatement' | 'GetLanguageOptions';
type Method = (request: object, done: (error: GrpcError | null, answer: unknown) => void) => void;
type Client = Readonly<Record<MethodName, Method>> & {
  waitForReady(deadline: number, done: (error?: Error) => void): void;
  close(): void;
};
export interface GrpcError extends Error {
  readonly code: number;
  readonly details: string;
}

/** A parser in its own process. */
export interface OracleServer {
  /** Rejects with a GrpcError. */
  invoke(method: MethodName, request: object): Promise<unknown>;
  stop(): void;
}

const START_TIMEOUT_MS = 60_000;
const LOADING = { oneofs: true, keepCase: true, longs: Number, enums: String };
const NATIVE_FOLDER = new URL('../node_modules/@fivetrandevelopers/zetasql/lib/zetasql/', import.meta.url);
const JAVA_FOLDER = new URL('./newer/', import.meta.url);

export async function startServer(version: OracleVersion): Promise<OracleServer> {
  const require = createRequire(import.meta.url);
  const grpc = require('@grpc/grpc-js') as Grpc;
  const loader = require('@grpc/proto-loader') as ProtoLoader;
  const port = await freePort();
  const { child, definition } = version === 'npm' ? startNative(port, loader) : await startJava(port, loader);
  const Service = grpc.loadPackageDefinition(definition).zetasql.local_service.ZetaSqlLocalService;
  const client = new Service(`localhost:${port}`, grpc.credentials.createInsecure(), {
    'grpc.max_receive_message_length': 1 << 28,
  });
  await new Promise<void>((resolve, reject) =>
    client.waitForReady(Date.now() + START_TIMEOUT_MS, (error) => (error ? reject(error) : resolve())),
  );
  return {
    invoke: (method, request) =>
      new Promise((resolve, reject) =>
        client[method](request, (error, answer) => (error ? reject(error) : resolve(answer))),
      ),
    stop: () => {
      client.close();
      child.kill('SIGKILL');
    },
  };
}

function startNative(port: number, loader: ProtoLoader) {
  const suffix =
    (process.arch.startsWith('arm') ? '_arm' : '') + (process.platform === 'darwin' ? '' : '.so');
  const child = start(fileURLToPath(new URL(`remote_server${suffix}`, NATIVE_FOLDER)), [
    'localhost',
    String(port),
  ]);
  const includeDirs = [fileURLToPath(new URL('protos', NATIVE_FOLDER))];
  return { child, definition: loader.loadSync('local_service.proto', { includeDirs, ...LOADING }) };
}

async function startJava(port: number, loader: ProtoLoader) {
  const jars = fileURLToPath(new URL('lib/', JAVA_FOLDER));
  if (!existsSync(jars)) throw new Error('The newer oracle is not installed; run npm run oracle:newer first');
  const descriptors = join(mkdtempSync(join(tmpdir(), 'oracle-')), 'descriptors');
  const program = fileURLToPath(new URL('OracleServer.java', JAVA_FOLDER));
  const child = start('java', ['-Xss64m', '-cp', `${jars}*`, program, String(port), descriptors]);
  for (let waitedMs = 0; !existsSync(descriptors); waitedMs += 100) {
    if (child.exitCode !== null || waitedMs > START_TIMEOUT_MS)
      throw new Error('The newer oracle does not start');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return { child, definition: loader.loadFileDescriptorSetFromBuffer(readFileSync(descriptors), LOADING) };
}

function start(program: string, options: readonly string[]): ChildProcess {
  const child = spawn(program, options, { stdio: 'ignore' });
  process.once('exit', () => child.kill('SIGKILL'));
  return child;
}
