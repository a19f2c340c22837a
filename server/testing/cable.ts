import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP proxy to a server. A test can cut, freeze and restore its connections. `url` is the server's URL through it. */
export async function cableTo(target: string) {
  const { hostname, port } = new URL(target);
  const ends = new Set<Socket>();
  // Neither side delays small writes, because that delay would be the proxy's own.
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ port: Number(port), host: hostname, noDelay: true });
    for (const end of [near, far]) {
      ends.add(end);
      end.on('error', () => undefined);
      end.on('close', () => {
        ends.delete(end);
        near.destroy();
        far.destroy();
      });
    }
    near.pipe(far).pipe(near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  const address = server.address() as AddressInfo;
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String(address.port);
  return {
    url: url.href,
    cut: async () => {
      const closing = once(server, 'close');
      server.close();
      for (const end of ends) end.destroy();
      await closing;
    },
    /** Freezes the existing connections; new ones are served. */
    freeze: () => {
      for (const end of ends) end.pause();
    },
    mend: async () => {
      server.listen(address.port, '127.0.0.1');
      await once(server, 'listening');
    },
  };
}
