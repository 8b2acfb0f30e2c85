import type { AddressInfo } from 'node:net';
import { http } from '@google-cloud/functions-framework';
import { getTestServer } from '@google-cloud/functions-framework/testing';
import type { HttpHandler } from '../../../shared/http/response/reply.ts';

/** A function as functions-framework serves it, on a free port of the loopback address. */
export interface FunctionServer {
  readonly port: number;
  close(): Promise<void>;
}

export async function serveFunction(name: string, handler: HttpHandler): Promise<FunctionServer> {
  http(name, handler);
  const server = getTestServer(name);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
