import { createServer, type Server } from 'node:http';
import { http } from '@google-cloud/functions-framework';
import { getTestServer } from '@google-cloud/functions-framework/testing';
import type { HttpHandler } from '../../../../shared/http/response/reply.ts';
import { asFrameworkFunction, bypassFramework } from '../../../../shared/http/server/framework-requests.ts';
import { guardServer } from '../../../../shared/http/server/guard-server.ts';
import { close, listen } from './http-client.ts';

/** A running server. */
export interface Host {
  readonly port: number;
  close(): Promise<void>;
}

/** The ways in which a handler is served: by node:http as it is, and by functions-framework. */
export const HOSTS: readonly [string, (handler: HttpHandler) => Promise<Host>][] = [
  ['node:http', serve],
  ['functions-framework', (handler) => serveAsFunction(asFrameworkFunction(handler))],
  ['functions-framework, as the only function', (handler) => serveAsFunction(handler, handler)],
];

export async function serve(handler: HttpHandler): Promise<Host> {
  const server = createServer((req, res) => void handler(req, res));
  guardServer(server);
  return { port: await listen(server), close: () => close(server) };
}

async function serveAsFunction(handler: HttpHandler, only?: HttpHandler): Promise<Host> {
  const stop = bypassFramework(only);
  http('under-test', handler);
  const server: Server = getTestServer('under-test');
  guardServer(server);
  return {
    port: await listen(server),
    close: async () => {
      stop();
      await close(server);
    },
  };
}
