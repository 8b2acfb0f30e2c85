import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What stands for BigQuery where a function's memory is measured. */
export interface BigAnswersWarehouse {
  /** As `BIGQUERY_EMULATOR_HOST` has it. */
  readonly address: string;
  close(): void;
}

const ROWS = 1000;
const ROWS_A_PAGE = 250;
/** What BigQuery answers to the check of the tables that a query reads. */
const DRY_RUN =
  '{"status":{"state":"DONE"},"statistics":{"totalBytesProcessed":"0","query":{"statementType":"SELECT","referencedTables":[]}}}';

/** Answers every query with a thousand rows of `rowBytes` each, in pages of 250, as fast as they are read. */
export async function startBigAnswers(rowBytes: number): Promise<BigAnswersWarehouse> {
  const row = { f: [{ v: 'x'.repeat(rowBytes) }] };
  const rows = JSON.stringify(Array.from({ length: ROWS_A_PAGE }, () => row));
  const schema = '{"fields":[{"name":"text","type":"STRING","mode":"NULLABLE"}]}';
  const server = createServer((req, res) => {
    req.resume();
    req.once('end', () => {
      const { searchParams, pathname } = new URL(req.url ?? '/', 'http://localhost');
      const page = Number(searchParams.get('pageToken') ?? 0) + 1;
      const isLast = page * ROWS_A_PAGE >= ROWS;
      const token = isLast ? '' : `,"pageToken":"${page}"`;
      res.setHeader('Content-Type', 'application/json');
      if (req.method === 'POST' && pathname.endsWith('/jobs')) {
        res.end(DRY_RUN);
        return;
      }
      const job = `"jobReference":{"projectId":"p","jobId":"${pathname.split('/').at(-1)}"}`;
      res.end(
        `{"jobComplete":true,${job},"schema":${schema},"totalBytesProcessed":"0","totalBytesBilled":"0"${token},"rows":${rows}}`,
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
