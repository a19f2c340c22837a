import { PRODUCT_NAME } from '#contract/limits.ts';
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
