import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse, request as sendRequest } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { z } from 'zod';
import { builtGoCommand } from '../../support/built-go-command.ts';
import { freePort } from '../../support/free-port.ts';
import { type Emulator, startProcess } from './emulator.ts';
import { startTableAnalyzer, type TableAnalyzer } from './table-analyzer.ts';

/** The project that the emulator knows; datasets are made in it. */
export const EMULATED_PROJECT = 'emulated-project';

/** Its first build compiles Google's analyzer as WebAssembly translated to Go, which takes minutes. */
const COMMAND = {
  name: 'bigquery-emulator',
  module: 'test/emulators',
  package: 'github.com/goccy/bigquery-emulator/cmd/bigquery-emulator',
  files: ['go.mod', 'go.sum'],
};

/**
 * Starts the BigQuery emulator, empty, on a free port. The first start on a machine builds it. It runs what a dry run asks
 * about, and names no tables; so the emulator's analyzer answers in its place which tables a query would read.
 */
export async function startBigQueryEmulator(): Promise<Emulator> {
  const binary = await builtGoCommand(COMMAND);
  const [port, grpcPort] = [await freePort(), await freePort()];
  const emulator = await startProcess(
    binary,
    [`--project=${EMULATED_PROJECT}`, '--host=127.0.0.1', `--port=${port}`, `--grpc-port=${grpcPort}`],
    { ready: /REST server listening/, deadlineMs: 180_000 },
  );
  try {
    const analyzer = await startTableAnalyzer(EMULATED_PROJECT);
    const front = await startFront(port, analyzer);
    const stop = async () => {
      await Promise.all([emulator.stop(), analyzer.stop(), front.stop()]);
    };
    return { host: front.host, stop };
  } catch (error) {
    await emulator.stop();
    throw error;
  }
}

const dryRun = z.object({
  configuration: z.object({
    dryRun: z.literal(true),
    query: z.object({
      query: z.string(),
      queryParameters: z
        .array(z.object({ name: z.string(), parameterType: z.object({ type: z.string() }) }))
        .default([]),
    }),
  }),
});
const definition = z.object({ query: z.string().regex(/^\s*CREATE\s+(TABLE|VIEW)\s/i) });

/** Stands before the emulator: tells the analyzer of tables and views that are made, and asks it for dry runs. */
async function startFront(port: number, analyzer: TableAnalyzer): Promise<Emulator> {
  const server = createServer((req, res) => {
    answer(req, res).catch((error: unknown) => res.destroy(error as Error));
  }).listen(0, '127.0.0.1');

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const body = await buffer(req);
    const [path] = (req.url ?? '').split('?');
    const content = req.method === 'POST' ? parsed(body) : null;
    const asked = path?.endsWith('/jobs') === true ? dryRun.safeParse(content) : null;
    if (asked?.success === true) {
      const { status, json } = await dryRunAnswer(analyzer, asked.data.configuration.query);
      res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(json));
      return;
    }
    const passed = sendRequest({
      port,
      host: '127.0.0.1',
      path: req.url,
      method: req.method,
      headers: req.headers,
    });
    // The emulator runs one query at a time, and goes on with one until its caller hangs up.
    res.once('close', () => passed.destroy());
    passed.end(body);
    const [answered] = (await once(passed, 'response')) as [IncomingMessage];
    const made = path?.endsWith('/queries') === true ? definition.safeParse(content) : null;
    if (made?.success === true && answered.statusCode === 200) await analyzer.define(made.data.query);
    res.writeHead(answered.statusCode ?? 500, answered.headers);
    answered.pipe(res);
  }

  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('a TCP server has a port');
  const stop = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return { host: `127.0.0.1:${address.port}`, stop };
}

type DryRunQuery = z.infer<typeof dryRun>['configuration']['query'];

/** What BigQuery answers to a dry run by jobs.insert, as far as the emulator's analyzer knows it. */
async function dryRunAnswer(
  analyzer: TableAnalyzer,
  { query, queryParameters }: DryRunQuery,
): Promise<{ readonly status: number; readonly json: object }> {
  const types = Object.fromEntries(
    queryParameters.map(({ name, parameterType }) => [name, parameterType.type]),
  );
  const found = await analyzer.tablesOf(query, types);
  if ('error' in found) {
    const { error: message } = found;
    return {
      status: 400,
      json: { error: { code: 400, message, errors: [{ reason: 'invalidQuery', message }] } },
    };
  }
  const referencedTables = found.tables.map((name) => {
    const [projectId, datasetId, tableId] = name.split('.');
    return { projectId, datasetId, tableId };
  });
  const statistics = { totalBytesProcessed: '0', query: { statementType: 'SELECT', referencedTables } };
  return { status: 200, json: { kind: 'bigquery#job', status: { state: 'DONE' }, statistics } };
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return null;
  }
}
