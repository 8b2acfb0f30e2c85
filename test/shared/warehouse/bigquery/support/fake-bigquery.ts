import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** A call that the fake got. */
export interface FakeCall {
  readonly method: string;
  /** Below the project: `/queries`. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: FakeBody;
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of any shape.
type FakeBody = any;

/** What the fake does with a call. */
export type FakeAnswer =
  | { readonly status?: number; readonly json: unknown }
  | { readonly status?: number; readonly text: string }
  /** Never answers. */
  | 'hang'
  /** Breaks the connection before an answer, or in the middle of one. */
  | 'reset'
  | 'reset in the middle';

export interface FakeBigQuery {
  readonly host: string;
  readonly calls: readonly FakeCall[];
  close(): Promise<void>;
}

/** A server in place of BigQuery's REST API that answers as the test says. `index` counts the calls of one path. */
export async function startFakeBigQuery(
  answer: (call: FakeCall, index: number) => FakeAnswer | Promise<FakeAnswer>,
): Promise<FakeBigQuery> {
  const calls: FakeCall[] = [];
  const server = createServer((req, res) => {
    void readCall(req).then(async (call) => {
      const index = calls.filter(({ path }) => path === call.path).length;
      calls.push(call);
      send(res, await answer(call, index));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('a TCP server has a port');
  return {
    host: `127.0.0.1:${address.port}`,
    calls,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function readCall(req: IncomingMessage): Promise<FakeCall> {
  const url = new URL(req.url ?? '', 'http://fake');
  let text = '';
  for await (const chunk of req) text += String(chunk);
  return {
    method: req.method ?? '',
    path: url.pathname.replace('/bigquery/v2/projects/secret-project', ''),
    query: url.searchParams,
    body: text === '' ? null : JSON.parse(text),
  };
}

function send(res: ServerResponse, answer: FakeAnswer): void {
  if (answer === 'hang') return;
  if (answer === 'reset') {
    res.destroy();
    return;
  }
  if (answer === 'reset in the middle') {
    res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '1000' });
    res.write('{"jobComplete":true,"rows":[', () => res.destroy());
    return;
  }
  res.writeHead(answer.status ?? 200, { 'Content-Type': 'application/json' });
  res.end('text' in answer ? answer.text : JSON.stringify(answer.json));
}

/** BigQuery's answer to a query that has finished, with one STRING column `id`. */
export function finished(...ids: readonly string[]): FakeAnswer {
  return {
    json: {
      jobComplete: true,
      schema: { fields: [{ name: 'id', type: 'STRING', mode: 'NULLABLE' }] },
      rows: ids.map((id) => ({ f: [{ v: id }] })),
      totalRows: String(ids.length),
      totalBytesProcessed: '1000',
      totalBytesBilled: '10485760',
      jobReference: { projectId: 'secret-project', jobId: 'job-1', location: 'EU' },
    },
  };
}

/** BigQuery's answer to a query that takes longer. */
export const UNFINISHED: FakeAnswer = {
  json: { jobComplete: false, jobReference: { projectId: 'secret-project', jobId: 'job-1', location: 'EU' } },
};

/** BigQuery's answer to a call that failed. */
export function failed(status: number, reason: string, message: string): FakeAnswer {
  return {
    status,
    json: { error: { code: status, message, errors: [{ reason, message, domain: 'global' }] } },
  };
}
