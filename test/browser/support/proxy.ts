import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serviceUrl } from './service.ts';

/** The service behind another one, below a path of it, as reverse proxies put it. */
export interface Proxy {
  readonly url: string;
  close(): void;
}

/** Starts a reverse proxy that serves the service below `prefix` (`/logs/`) and nothing else. */
export async function startProxy(prefix: string): Promise<Proxy> {
  const server = createServer((req, res) => {
    if (!req.url?.startsWith(prefix)) {
      res.writeHead(404).end();
      return;
    }
    const target = new URL(req.url.slice(prefix.length), serviceUrl());
    const { method, headers } = req;
    const onward = request(target, { method, headers: { ...headers, host: target.host } }, (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(res);
    });
    req.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${prefix}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
