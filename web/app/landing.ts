import { mayBeUrlName, rememberedSegments } from '#contract/pages.ts';

/** The organization an address names: by id (`12`, or `c12` in older addresses) or by URL name. */
export type AskedOrganization = { id: number } | { urlName: string };

/** The first segment for those in no organization: what is theirs alone stands there. */
export const OWN_SEGMENT = 'account';
export const isOwnPath = (path: string) => segmentsOf(path)[0] === OWN_SEGMENT;

const segmentsOf = (path: string) => path.split('/').filter((segment) => segment !== '');

/** What the first segment asks for; undefined where the address leaves the choice to the server. */
export function organizationIn(path: string): AskedOrganization | undefined {
  const [first] = segmentsOf(path);
  if (first === undefined || first === 'onboarding' || first === OWN_SEGMENT) return undefined;
  return /^c?[1-9]\d{0,14}$/.test(first) ? { id: Number(first.replace('c', '')) } : { urlName: first };
}

/** The page an address leaves behind for the next visit, if it is one of those that are remembered. */
export function segmentToRemember(path: string): string | undefined {
  return rememberedSegments.find((segment) => segment === segmentsOf(path)[1]);
}

const carriedNames = ['closeTab', 'redirect_url', 'org', 'source', 'next', 'base'] as const;
/** What onboarding keeps for the way on. */
export type Carried = { action: string } & { [name in (typeof carriedNames)[number]]?: string };

export type Landing<Page extends string> =
  | { go: 'stay' }
  /** To a page of the current organization, or to one below it. */
  | { go: 'page'; page: Page | `${Page}/${string}` }
  | { go: 'onboarding'; search: Carried }
  /** A full load of `/`, which lands anew. */
  | { go: 'root' };

type State<Page extends string> = {
  path: string;
  search: string;
  current: { id: number; urlName: string } | null;
  /** The pages the person may open, and the one for those who come without a memory of another. */
  pages: readonly Page[];
  firstPage: Page;
  remembered: string | null;
};

/** Where an address of the area leads, once the session is known (specification section 2, decisions). */
export function land<Page extends string>(state: State<Page>): Landing<Page> {
  const { path, current, pages } = state;
  const [first, second, ...deeper] = segmentsOf(path);
  const isOwn = first === OWN_SEGMENT;
  if (current === null) {
    if (isOwn && deeper.length === 0 && pages.some((page) => page === second)) return { go: 'stay' };
    return toOnboarding(first, second, new URLSearchParams(state.search));
  }

  const home = pages.find((page) => page === state.remembered) ?? state.firstPage;
  if (first === undefined || path === '/onboarding') return { go: 'page', page: home };

  const asked = organizationIn(path);
  const byId = asked !== undefined && 'id' in asked;
  if (!isOwn && (byId ? asked.id !== current.id : first !== current.urlName)) return { go: 'root' };

  const page = pages.find((name) => name === second);
  const isRole = page === 'organization' && /^role(\/[1-9]\d{0,14})?$/.test(deeper.join('/'));
  if (page === undefined || (deeper.length > 0 && !isRole)) return { go: 'page', page: home };
  if (!byId && !isOwn) return { go: 'stay' };
  return { go: 'page', page: isRole ? `${page}/${deeper.join('/')}` : page };
}

function toOnboarding(first: string | undefined, second: string | undefined, search: URLSearchParams) {
  const there = first === 'onboarding' && second === undefined && search.get('action') === 'no_org';
  if (there) return { go: 'stay' } as const;
  const carried: Carried = { action: 'no_org' };
  for (const name of carriedNames) {
    const value = search.get(name);
    if (value !== null && (name !== 'closeTab' || value === 'true')) carried[name] = value;
  }
  return { go: 'onboarding', search: carried } as const;
}

/** Whether an address could be a page of the area: one organization, or one of its pages. */
export function isAreaPath(path: string): boolean {
  const [first, second, ...deeper] = segmentsOf(path);
  const asked = organizationIn(path);
  if (asked && 'urlName' in asked && !mayBeUrlName(asked.urlName)) return false;
  if (second === undefined) return true;
  if (first === 'onboarding') return false;
  const pages: readonly string[] = [...rememberedSegments, 'myapps'];
  return pages.includes(second) && (deeper.length === 0 || second === 'organization');
}

/** What a failed status check or a refused init leads to. */
export type Recovery = 'login' | 'signUp' | 'signOut' | 'root' | 'error';

/** `/` has no organization in it, so going there again would only go round in circles. */
export function afterInitFailure(code: string, path: string): Recovery {
  if (code === 'not_signed_in') return 'login';
  if (code === 'user_not_found') return 'signOut';
  const unknown = code === 'org_not_found' || code === 'org_id_invalid';
  return unknown && segmentsOf(path).length > 0 ? 'root' : 'error';
}
