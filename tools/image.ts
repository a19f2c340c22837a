// The files of the repository in the image: copied by deploy/Dockerfile and not excluded by .dockerignore.
import { readFileSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..');

function copiedPaths(): string[] {
  const dockerfile = readFileSync(path.join(root, 'deploy/Dockerfile'), 'utf8');
  const stage = /^FROM \S+ AS portal$([^]*?)^FROM /m.exec(dockerfile)?.[1] ?? '';
  return [...stage.matchAll(/^COPY (?!--from)(\S+) \S+$/gm)].map(([, from]) => from ?? '');
}

/** The last matching line decides, and a folder's line covers its content. */
function isIncluded(file: string): boolean {
  const lines = readFileSync(path.join(root, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'));
  const above = file.split('/').map((_part, at, parts) => parts.slice(0, at + 1).join('/'));
  let isIn = true;
  for (const line of lines) {
    const pattern = line.replace(/^!/, '');
    if (above.some((one) => path.matchesGlob(one, pattern))) isIn = line.startsWith('!');
  }
  return isIn;
}

const filesBelow = (name: string): string[] =>
  statSync(path.join(root, name)).isDirectory()
    ? readdirSync(path.join(root, name)).flatMap((entry) => filesBelow(`${name}/${entry}`))
    : [name];

/** Relative to the root; the built web app and the packages are added separately. */
export const imageFiles = (): string[] => copiedPaths().flatMap(filesBelow).filter(isIncluded);
