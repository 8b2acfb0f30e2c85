import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { http } from '@google-cloud/functions-framework';
import { getTestServer } from '@google-cloud/functions-framework/testing';
import type { HttpHandler } from '../../../shared/http/response/reply.ts';

/** A function on a free port of the loopback address. */
export interface FunctionServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Serves a function as functions-framework does by itself. */
export function serveFunction(name: string, handler: HttpHandler): Promise<FunctionServer> {
  http(name, handler);
  return listen(getTestServer(name));
}

/**
 * Serves a function as `lqe start` does: the framework's server hands it each request. The framework's application would run it in a
 * `node:domain`, and from the first one on Node tracks each promise of the process, whoever makes it.
 */
export function serveDirectly(name: string, handler: HttpHandler): Promise<FunctionServer> {
  http(name, handler);
  return listen(getTestServer(name).removeAllListeners('request').on('request', handler));
}

async function listen(server: Server): Promise<FunctionServer> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
