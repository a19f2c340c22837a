import { PRODUCT_NAME } from './limits.ts';
/** Pages that anyone may open. Each is one chunk of the public entry. */
export const publicPages = [
  '/signup',
  '/login',
  '/support',
  '/forgotpassword',
  '/resetpassword',
  '/notme',
  '/createpassword',
  '/verifyaccount',
  '/verifyemail',
  '/restoreaccount',
  '/restoreemail',
  '/invitation',
  '/closetab',
  '/authorize',
  '/signout',
  '/farewell',
] as const;

/**
 * A public page rendered ahead of the browser: its title and its root's HTML, for the whole page, for the frame alone,
 * and for a page that names an application: there `{{sentence}}` and other fields of a `Destination` wait for values.
 */
export type DrawnPage = Readonly<Record<'title' | 'whole' | 'frame' | 'named', string>>;

/** The last segments of `/{orgId}/…` that the area remembers and restores (specification section 2). */
export const rememberedSegments = [
  'myprofile',
  'communications',
  'organization',
  'signindevices',
  'recentactivity',
  'deleteaccount',
] as const;

/** The pages of an organization: those of the menu, and those below one of them. */
export type MenuPath = 'myapps' | (typeof rememberedSegments)[number];
export type InnerPath =
  | `organization/${'role' | 'applications' | 'webhooks'}${'' | '/$id'}`
  | `organization/${'signin' | 'data'}`;
export type PagePath = MenuPath | InnerPath;

/** Segments that the portal uses, and names that could pass for the portal: no URL names of organizations. */
export const reservedUrlNames: ReadonlySet<string> = new Set([
  ...publicPages.map((page) => page.slice(1)),
  ...rememberedSegments,
  ...`api drive assets brand outbox onboarding myapps healthz readyz metrics admin www mail desk operator
    static public oidc docs help status about blog legal terms privacy security pricing root system ${PRODUCT_NAME.toLowerCase()} index home
    account settings dev robots favicon undefined null next auth signin logout`.split(/\s+/),
]);

/** Whether an organization may have this URL name: a letter first, not like `c12`, not reserved. */
export const mayBeUrlName = (name: string) =>
  /^[a-z][a-z0-9-]{1,59}$/.test(name) && !/^c\d+$/.test(name) && !reservedUrlNames.has(name);

/** The pages of the account alone, of a person without an organization, too. */
export const OWN_SEGMENT = 'account';
export const SECOND_STEP_SEGMENT = 'secondstep';
export const COMPANY_ENTRY_SEGMENT = 'companyentry';
/** Own pages of people who have yet to show something. The server leads to the last one. */
export const entrySegments: readonly unknown[] = [
  SECOND_STEP_SEGMENT,
  COMPANY_ENTRY_SEGMENT,
  'companylink',
  'sociallink',
];

export const segmentsOf = (path: string) => path.split('/').filter((segment) => segment !== '');

/** The organization in an address: by id (`12`, or `c12` in older addresses) or by URL name. */
type AskedOrganization = { id: number } | { urlName: string };

/** The organization in the first segment. Undefined if the server chooses. */
export function organizationIn(path: string): AskedOrganization | undefined {
  const [first] = segmentsOf(path);
  if (first === undefined || first === 'onboarding' || first === OWN_SEGMENT) return undefined;
  return /^c?[1-9]\d{0,14}$/.test(first) ? { id: Number(first.replace('c', '')) } : { urlName: first };
}

/** Whether the area could have a page there. */
export function isAreaPath(path: string): boolean {
  const [first, second, ...deeper] = segmentsOf(path);
  const address = organizationIn(path);
  if (address && 'urlName' in address && !mayBeUrlName(address.urlName)) return false;
  if (second === undefined) return true;
  if (first === 'onboarding') return false;
  const pages: readonly unknown[] = [...rememberedSegments, 'myapps', ...entrySegments];
  return pages.includes(second) && (deeper.length === 0 || second === 'organization');
}
