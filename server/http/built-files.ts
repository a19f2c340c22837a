import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { SOURCE_LANGUAGE } from '#contract/languages.ts';

/** The path of a source of the web app in its build; undefined while nothing is built. */
export function builtFile(dist: string, source: string): string | undefined {
  const manifest = path.join(dist, '.vite/manifest.json');
  if (!existsSync(manifest)) return undefined;
  const chunks = JSON.parse(readFileSync(manifest, 'utf8')) as Record<string, { file: string }>;
  return chunks[source] && `/${chunks[source].file}`;
}

/** The build of a language. English lies in the folder itself, the others beside it. */
export const folderOf = (dist: string, language: string) =>
  language === SOURCE_LANGUAGE ? dist : path.join(dist, language);

/** The languages whose pages are built; English if none of them is. */
export function builtLanguages(dist: string, languages: readonly string[]): readonly string[] {
  const built = languages.filter((language) =>
    existsSync(path.join(folderOf(dist, language), 'public.html')),
  );
  return built.length > 0 ? built : [SOURCE_LANGUAGE];
}
