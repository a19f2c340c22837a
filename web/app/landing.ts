import type { NoEntry } from '#contract/access/demands.ts';
import {
  COMPANY_ENTRY_SEGMENT,
  entrySegments,
  organizationIn,
  OWN_SEGMENT,
  rememberedSegments,
  SECOND_STEP_SEGMENT,
  segmentsOf,
} from '#contract/pages.ts';
import { carriedNames } from '#web/lib/navigate.ts';

export const SECOND_STEP_PATH = `/${OWN_SEGMENT}/${SECOND_STEP_SEGMENT}`;
export const COMPANY_ENTRY_PATH = `/${OWN_SEGMENT}/${COMPANY_ENTRY_SEGMENT}`;
export const isOwnPath = (path: string) => segmentsOf(path)[0] === OWN_SEGMENT;

function isAt(path: string, { id, urlName }: { id: number; urlName: string }) {
  const address = organizationIn(path);
  return address !== undefined && ('id' in address ? address.id === id : address.urlName === urlName);
}

/** The page to remember for the next visit. Undefined for pages that are never remembered. */
export function segmentToRemember(path: string): string | undefined {
  return rememberedSegments.find((segment) => segment === segmentsOf(path)[1]);
}

export type Carried = { action: string } & { [name in (typeof carriedNames)[number]]?: string };

type Landing<Page extends string> =
  | { go: 'stay' }
  /** `isUnknown`: the address led nowhere. */
  | { go: 'page'; page: Page | `${Page}/${string}`; isUnknown?: true }
  | { go: 'onboarding'; search: Carried }
  /** `page` is the one to go on to. */
  | { go: 'second step'; org: string; page?: string }
  | { go: 'company entry'; org?: string | undefined; page?: string }
  | { go: 'root' };

type State<Page extends string> = {
  path: string;
  search: string;
  current: { id: number; urlName: string } | null;
  /** The person's organizations that are closed until they give a second step. */
  closed: readonly { id: number; urlName: string }[];
  /** Those that wait for the company's provider. */
  needsEntry: readonly { id: number; urlName: string }[];
  /** Only a company has vouched for the person. Their other organizations are unknown until they prove the account. */
  isReduced: boolean;
  /** The pages that the person may open, and the first one if none is remembered. */
  pages: readonly Page[];
  firstPage: Page;
  isPage: (path: string) => boolean;
  remembered: string | null;
};

/** Specification section 2, docs/decisions/pages.md. */
export function land<Page extends string>(state: State<Page>): Landing<Page> {
  const { path, current, closed, needsEntry, isReduced, pages } = state;
  const [first, second, ...deeper] = segmentsOf(path);
  const isOwn = first === OWN_SEGMENT;
  if (isOwn && entrySegments.includes(second) && deeper.length === 0) return { go: 'stay' };
  const isTarget = (organization: { id: number; urlName: string }) => isAt(path, organization);
  const page = second === undefined ? {} : { page: `${path}${state.search}` };
  const unentered = needsEntry.find(isTarget);
  if (unentered) return { go: 'company entry', org: unentered.urlName, ...page };
  const closedTarget = closed.find(isTarget);
  if (closedTarget) return { go: 'second step', org: closedTarget.urlName, ...page };
  const asked = organizationIn(path);
  if (isReduced && asked && !(current && isTarget(current)))
    return { go: 'company entry', org: first, ...page };
  if (current === null) {
    if (isOwn && deeper.length === 0 && pages.some((page) => page === second)) return { go: 'stay' };
    if (closed[0] && first !== 'onboarding') return { go: 'second step', org: closed[0].urlName };
    if (needsEntry[0] && first !== 'onboarding') return { go: 'company entry', org: needsEntry[0].urlName };
    if (isReduced) return { go: 'company entry' };
    return toOnboarding(first, second, new URLSearchParams(state.search));
  }

  const home = pages.find((page) => page === state.remembered) ?? state.firstPage;
  if (first === undefined || path === '/onboarding') return { go: 'page', page: home };

  const byId = asked !== undefined && 'id' in asked;
  if (!isOwn && (byId ? asked.id !== current.id : first !== current.urlName)) return { go: 'root' };

  const menuPage = pages.find((name) => name === second);
  const isInner = deeper.length > 0 && state.isPage(path);
  if (menuPage === undefined || (deeper.length > 0 && !isInner))
    return {
      go: 'page',
      page: home,
      ...(second !== undefined && !state.isPage(path) && { isUnknown: true }),
    };
  if (!byId && !isOwn) return { go: 'stay' };
  return { go: 'page', page: isInner ? `${menuPage}/${deeper.join('/')}` : menuPage };
}

function toOnboarding(first: string | undefined, second: string | undefined, search: URLSearchParams) {
  const there = first === 'onboarding' && second === undefined && search.get('action') === 'no_org';
  if (there) return { go: 'stay' } as const;
  const searchValues: Carried = { action: 'no_org' };
  for (const name of carriedNames) {
    const value = search.get(name);
    if (value !== null && name !== 'action' && (name !== 'closeTab' || value === 'true'))
      searchValues[name] = value;
  }
  return { go: 'onboarding', search: searchValues } as const;
}

/** The organization waits for something that the person can show. */
const noEntry: Record<NoEntry, true> = {
  company_sign_in_required: true,
  account_proof_required: true,
  second_step_required: true,
};
export const noEntryCodes: readonly string[] = Object.keys(noEntry);

export type Recovery = 'login' | 'signUp' | 'signOut' | 'root' | 'error';

/** `/` names no organization, so leading there again would loop. */
export function afterInitFailure(code: string, path: string): Recovery {
  if (code === 'not_signed_in') return 'login';
  if (code === 'user_not_found') return 'signOut';
  const elsewhere = ['org_not_found', 'org_id_invalid', ...noEntryCodes];
  return elsewhere.includes(code) && segmentsOf(path).length > 0 ? 'root' : 'error';
}
