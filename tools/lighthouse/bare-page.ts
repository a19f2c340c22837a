// The page that ours are compared with. React takes over one heading and does nothing else. Like our pages it is
// prerendered, and it loads React after the first paint, because earlier blocking does not count.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { build, type Plugin, type Rolldown } from 'vite';

const entry = `import { createElement } from 'react';
import { hydrateRoot } from 'react-dom/client';
hydrateRoot(document.getElementById('root'), createElement('h1', null, 'A bare page'));
`;
const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>A bare page</title><link rel="icon" href="data:,"></head>
<body><div id="root"><h1>A bare page</h1></div>
<script>new PerformanceObserver((list) => {
  if (list.getEntriesByName('first-contentful-paint').length > 0) import('/bare.js');
}).observe({ type: 'paint', buffered: true });</script></body></html>`;

const ID = 'bare.js';
const bareEntry: Plugin = {
  name: 'bare-entry',
  resolveId: (id) => (id === ID ? path.join(import.meta.dirname, ID) : null),
  load: (id) => (path.basename(id) === ID ? entry : null),
};

/** Builds and serves the page as ours are built and served. */
export async function serveBarePage() {
  const { output } = (await build({
    root: import.meta.dirname,
    configFile: false,
    logLevel: 'error',
    plugins: [bareEntry],
    build: { write: false, rolldownOptions: { input: ID } },
  })) as Rolldown.RolldownOutput;
  const script = output.find((one) => one.type === 'chunk')?.code ?? '';
  const files: Record<string, [type: string, body: Buffer]> = {
    '/': ['text/html', brotliCompressSync(html)],
    '/bare.js': ['text/javascript', brotliCompressSync(script)],
  };
  const server = createServer((request, response) => {
    const [type, body] = files[request.url ?? ''] ?? [];
    if (type === undefined) return response.writeHead(404).end();
    return response.writeHead(200, { 'content-type': type, 'content-encoding': 'br' }).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/`,
    close: () => server.close(),
  };
}
