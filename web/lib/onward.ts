import { urlNameForm } from '#contract/onward.ts';

/** One way that a query names to go on after signing in. */
export type Way =
  | { readonly go: 'application'; readonly url: string; readonly org?: string }
  | { readonly go: 'close' }
  | { readonly go: 'follow'; readonly base: 'account' | 'signature'; readonly path: string }
  | { readonly go: 'test page' };

/** They opened a window for signing in, and wait for it to close. */
const closingSources = new Set(['monday', 'pipedrive', 'zoho']);
const bases = new Map([
  ['1', 'account'],
  ['2', 'signature'],
] as const);
const FOLLOW_UP_MAX_CHARACTERS = 200;
/** Plain segments and nothing else, so that it stays below the server's address however it is read (docs/security.md F3). */
const followUpPath = /^\/?([\w-]+(?:\/[\w-]+)*)$/;

/** The ways a query names, the one that wins first (specification section 4); what is not in its form names none. */
export function waysOf(query: URLSearchParams): Way[] {
  const ways: Way[] = [];
  const url = query.get('redirect_url');
  const org = query.get('org') ?? '';
  // What is no name is no organization's: whoever comes with it comes from their default one.
  if (url) ways.push({ go: 'application', url, ...(urlNameForm.test(org) && { org }) });
  if (closingSources.has(query.get('source') ?? '')) ways.push({ go: 'close' });
  const base = bases.get(query.get('base') as '1' | '2');
  const next = query.get('next') ?? '';
  const path = next.length > FOLLOW_UP_MAX_CHARACTERS ? undefined : followUpPath.exec(next)?.[1];
  if (base && path !== undefined) ways.push({ go: 'follow', base, path });
  if (query.get('action') === 'sdk') ways.push({ go: 'test page' });
  return ways;
}

/** The `url` of what a server answered to a follow-up, in the envelope of all our calls or bare. */
export function returnedUrl(answer: unknown): string | undefined {
  const body = (answer ?? {}) as { response?: { url?: unknown } | null; url?: unknown };
  const url = body.response?.url ?? body.url;
  return typeof url === 'string' ? url : undefined;
}
