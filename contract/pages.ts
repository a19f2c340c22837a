/** Pages that anyone may open; each is one chunk of the public entry. */
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
  '/farewell',
] as const;

/** A public page as the build draws it ahead of the browser: its title, and what stands in its root, whole or the frame alone. */
export type DrawnPage = { readonly title: string; readonly whole: string; readonly frame: string };

/** The last segments of `/{orgId}/…` that the area remembers and restores (specification section 2). */
export const rememberedSegments = [
  'myprofile',
  'communications',
  'organization',
  'signindevices',
  'recentactivity',
  'deleteaccount',
] as const;

/** First path segments that are the portal's own or look like it, so no organization may take them as its URL name. */
const reserved = new Set([
  ...publicPages.map((page) => page.slice(1)),
  ...rememberedSegments,
  ...`api drive assets outbox onboarding myapps healthz readyz metrics admin www mail
    static public docs help status about blog legal terms privacy security pricing root system portico index home
    account settings specimen dev robots favicon undefined null next auth signin signout logout`.split(/\s+/),
]);

/** Whether an organization may have this URL name: letters first, never like `c12`, nothing of the portal's own. */
export const mayBeUrlName = (name: string) =>
  /^[a-z][a-z0-9-]{1,59}$/.test(name) && !/^c\d+$/.test(name) && !reserved.has(name);
