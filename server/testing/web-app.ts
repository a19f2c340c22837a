import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { publicPages } from '#contract/pages.ts';

const page = (name: string, language = 'en') =>
  `<!doctype html>\n<html lang="${language}"><head><!--site--><meta name="color-scheme" content="light dark" />` +
  `<title>${name}</title></head><body><div id="root"></div>${name === 'public' ? '<!--languages-->' : ''}</body></html>\n`;

/** A fake `draw.js`: each page shows the data that the thread received. */
const draw = `import { parentPort, workerData } from 'node:worker_threads';
const received = JSON.stringify([workerData.language, workerData.site.signUrl, Object.keys(process.env)].concat(workerData.site.applications.map(({ name }) => name)));
const page = { title: 'public & drawn', whole: '<main>' + received + '</main>', frame: '<main></main>', named: '<main><i>{{letter}}<img src="{{icon}}"/></i>{{sentence}}, {{publisher}}</main>' };
parentPort.postMessage(Object.fromEntries(${JSON.stringify(['/', ...publicPages])}.map((path) => [path, page])));
`;

const files = {
  'public.html': page('public'),
  'area.html': page('area'),
  'draw.js': draw,
  'robots.txt': 'User-agent: *\n',
  'icon-dark.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'icon-light.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  '.vite/manifest.json': JSON.stringify({
    'app/social-return.css': { file: 'assets/social-return-3c4d.css' },
    'public-pages/destination.css': { file: 'assets/destination-5e6f.css' },
    'app/social-return.ts': { file: 'assets/social-return-3c4d.js' },
  }),
  'assets/area-1a2b.js': `console.log(${JSON.stringify('area '.repeat(50))});`,
  'assets/area-1a2b.css': 'body { margin: 0 }',
};

export function fakeWebApp(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'portico-web-'));
  writeFiles(folder, files);
  return folder;
}

/** Builds the fake pages of another language. */
export const buildLanguage = (webApp: string, language: string) =>
  writeFiles(path.join(webApp, language), {
    'public.html': page('public', language),
    'area.html': page('area', language),
    '.vite/manifest.json': files['.vite/manifest.json'].replaceAll('assets/', `assets/${language}/`),
  });

function writeFiles(folder: string, contents: Readonly<Record<string, string>>) {
  for (const [name, text] of Object.entries(contents)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
    writeFileSync(path.join(folder, `${name}.br`), brotliCompressSync(text));
  }
}
