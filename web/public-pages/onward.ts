import { urlNameForm } from '#contract/sign-in/onward.ts';

export type Way =
  | { readonly go: 'application'; readonly url: string; readonly org?: string }
  | { readonly go: 'close' }
  | { readonly go: 'follow'; readonly base: 'account' | 'signature'; readonly path: string }
  | { readonly go: 'test page' };

/** These applications opened a window for sign-in and wait until it closes. */
const closingSources = new Set(['monday', 'pipedrive', 'zoho']);
const bases = new Map([
  ['1', 'account'],
  ['2', 'signature'],
] as const);
const FOLLOW_UP_MAX_CHARACTERS = 200;
/** Plain segments, so that the path stays below the server's address for every parser (docs/security.md F3). */
const followUpPath = /^\/?([\w-]+(?:\/[\w-]+)*)$/;

/** By priority (specification section 4). Malformed values are ignored. */
export function waysOf(query: URLSearchParams): Way[] {
  const ways: Way[] = [];
  const url = query.get('redirect_url');
  const org = query.get('org') ?? '';
  // An invalid URL name is ignored, so the default organization is used.
  if (url) ways.push({ go: 'application', url, ...(urlNameForm.test(org) && { org }) });
  if (closingSources.has(query.get('source') ?? '')) ways.push({ go: 'close' });
  const base = bases.get(query.get('base') as '1' | '2');
  const next = query.get('next') ?? '';
  const path = next.length > FOLLOW_UP_MAX_CHARACTERS ? undefined : followUpPath.exec(next)?.[1];
  if (base && path !== undefined) ways.push({ go: 'follow', base, path });
  if (query.get('action') === 'sdk') ways.push({ go: 'test page' });
  return ways;
}

/** The `url` in the answer to a follow-up, with or without our envelope. */
export function returnedUrl(answer: unknown): string | undefined {
  const body = (answer ?? {}) as { response?: { url?: unknown } | null; url?: unknown };
  const url = body.response?.url ?? body.url;
  return typeof url === 'string' ? url : undefined;
}
