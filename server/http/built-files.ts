import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The path of a source of the web app in its build; undefined while nothing is built. */
export function builtFile(dist: string, source: string): string | undefined {
  const manifest = path.join(dist, '.vite/manifest.json');
  if (!existsSync(manifest)) return undefined;
  const chunks = JSON.parse(readFileSync(manifest, 'utf8')) as Record<string, { file: string }>;
  return chunks[source] && `/${chunks[source].file}`;
}
