import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A cable to a server that a test can pull out and put back; `url` is the server's through the cable. */
export async function cableTo(target: string) {
  const { hostname, port } = new URL(target);
  const ends = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
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
  const here = server.address() as AddressInfo;
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String(here.port);
  return {
    url: url.href,
    cut: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const end of ends) end.destroy();
      await closed;
    },
    /** Lets nothing more through what is connected; who connects from now on is served. */
    hold: () => {
      for (const end of ends) end.pause();
    },
    mend: async () => {
      server.listen(here.port, '127.0.0.1');
      await once(server, 'listening');
    },
  };
}
