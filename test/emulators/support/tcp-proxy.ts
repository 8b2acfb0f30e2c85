import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';

/** A way to a server that can be made slow, deaf, cut, or taken away. */
export interface TcpProxy {
  /** `host:port` to connect to. */
  readonly host: string;
  /** How long each piece of data is held back, either way; Infinity swallows it. */
  delayMs: number;
  /** Whether connections break as soon as they are made, as where nothing listens. */
  isDown: boolean;
  /** Called with each piece of data on its way to the server, before it is passed on. */
  onUpload: ((bytes: number) => void) | undefined;
  /** Resets all connections. */
  cut(): void;
  close(): Promise<void>;
}

/** Listens on a free port and passes everything on to `target`. */
export async function startTcpProxy(target: string): Promise<TcpProxy> {
  const [targetHost = '', targetPort = ''] = target.split(':');
  const sockets = new Set<Socket>();
  const { connect } = await import('node:net');

  const pass = (from: Socket, to: Socket, before: (data: Buffer) => void) => {
    from.on('data', (data: Buffer) => {
      before(data);
      const { delayMs } = proxy;
      if (delayMs === 0) to.write(data);
      else if (Number.isFinite(delayMs)) setTimeout(() => to.write(data), delayMs);
    });
    from.on('error', () => to.destroy());
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
    sockets.add(from);
  };

  const server = createServer((client) => {
    if (proxy.isDown) {
      client.on('error', () => {}).resetAndDestroy();
      return;
    }
    const upstream = connect(Number(targetPort), targetHost);
    pass(client, upstream, (data) => proxy.onUpload?.(data.length));
    pass(upstream, client, () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('a TCP server has a port');

  const proxy: TcpProxy = {
    host: `127.0.0.1:${address.port}`,
    delayMs: 0,
    isDown: false,
    onUpload: undefined,
    cut: () => sockets.forEach((socket) => void socket.resetAndDestroy()),
    async close() {
      proxy.cut();
      server.close();
      await once(server, 'close');
    },
  };
  return proxy;
}
