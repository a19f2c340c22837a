import { randomBytes } from 'node:crypto';
import type { Deps } from '#server/deps.ts';

/** The address of an error's page. Only the log has the facts, because anybody can write an address. */
export function errorPage(
  { config, log }: Pick<Deps, 'config' | 'log'>,
  code: string,
  facts: object,
): string {
  const reference = randomBytes(6).toString('hex');
  log.warn({ reference, code, ...facts }, 'an application asked wrongly');
  return pageOf(config, { error: code, reference });
}

/** The page for a moment with too many requests. Nobody has asked wrongly, so the log has no line. */
export const overloadPage = ({ config }: Pick<Deps, 'config'>) => pageOf(config, { error: 'overloaded' });

export function pageOf({ publicUrl }: Deps['config'], query: Record<string, string>): string {
  const page = new URL('/authorize', publicUrl);
  page.search = new URLSearchParams(query).toString();
  return page.href;
}

/** The kind of an address to which a person goes on from the page of an error. */
export const LEAVING = 'Leaving';
export type Leaving = { readonly clientId: string; readonly url: string };
