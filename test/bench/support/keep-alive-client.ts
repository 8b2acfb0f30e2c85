import { Agent, type RequestOptions, request } from 'node:http';

/** One connection to a local server, used for one request after the other. */
export interface KeepAliveClient {
  /** The body of a GET; rejects when the answer is not a 200. */
  get(path: string): Promise<Buffer>;
  /** The same of a POST of JSON, with further headers. */
  post(path: string, body: Buffer, headers: Readonly<Record<string, string>>): Promise<Buffer>;
  close(): void;
}

export function keepAliveClient(port: number, headers: Readonly<Record<string, string>>): KeepAliveClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const send = (path: string, options: RequestOptions, content?: Buffer) =>
    new Promise<Buffer>((resolve, reject) => {
      const outgoing = request({ host: '127.0.0.1', port, path, headers, agent, ...options }, (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () => {
          const body = Buffer.concat(chunks);
          if (incoming.statusCode === 200) resolve(body);
          else reject(new Error(`${path} answered ${incoming.statusCode}: ${body.toString('utf8', 0, 500)}`));
        });
      });
      outgoing.on('error', reject);
      outgoing.end(content);
    });
  return {
    get: (path) => send(path, {}),
    post: (path, body, others) => {
      const type = { 'content-type': 'application/json', 'content-length': body.length };
      return send(path, { method: 'POST', headers: { ...headers, ...type, ...others } }, body);
    },
    close: () => agent.destroy(),
  };
}
