// Which files of the repository get into the image, by what deploy/Dockerfile copies and .dockerignore lets through.
import { readFileSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..');

/** What the portal's stage takes from the repository itself, as the Dockerfile spells it. */
function copied(): string[] {
  const dockerfile = readFileSync(path.join(root, 'deploy/Dockerfile'), 'utf8');
  const stage = /^FROM \S+ AS portal$([^]*?)^FROM /m.exec(dockerfile)?.[1] ?? '';
  return [...stage.matchAll(/^COPY (?!--from)(\S+) \S+$/gm)].map(([, from]) => from ?? '');
}

/** Whether .dockerignore lets a file through: the last line that fits decides, for a folder also for all below. */
function lets(file: string): boolean {
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

/** Files of the repository in the image, relative to the root; the built web app and the packages come beside. */
export const imageFiles = (): string[] => copied().flatMap(filesBelow).filter(lets);
