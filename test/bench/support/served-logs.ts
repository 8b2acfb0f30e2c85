import { randomUUID } from 'node:crypto';
import { makeGateway } from '../../../functions/gateway.ts';
import { type BenchService, openBenchService, TOKEN } from './bench-service.ts';
import { serveDirectly } from './function-server.ts';
import { type KeepAliveClient, keepAliveClient } from './keep-alive-client.ts';

/** A service over a database of made entries, and a caller of it. */
export interface ServedLogs {
  readonly service: BenchService;
  readonly client: KeepAliveClient;
  close(): Promise<void>;
}

/** Opens the database and serves it on a free port. `name` tells one such service in this process from another. */
export async function serveLogs(
  name: string,
  databaseFile: string,
  takesEntries = false,
): Promise<ServedLogs> {
  const service = await openBenchService(databaseFile, takesEntries);
  const { live, schemas, deps } = service;
  const { nowMicros } = deps;
  const received = { schemas, sourceNames: new Map(), defaultProject: null, nowMicros, newId: randomUUID };
  const ingest = live === null ? null : { ...received, sink: live };
  const gateway = await serveDirectly(
    `gateway-${name}`,
    makeGateway({ ...deps, explorer: null, savedQueries: null, ingest }),
  );
  const client = keepAliveClient(gateway.port, { 'x-api-key': TOKEN });
  return {
    service,
    client,
    close: async () => {
      client.close();
      await gateway.close();
      await service.close();
    },
  };
}
