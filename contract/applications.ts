import type { Site } from '#contract/site.ts';

/** The suite's applications in the order they are shown: which setting holds the address of each, null for what is still to come. */
const settings = { sign: 'signUrl', seo: 'seoUrl', forms: null, surveys: null } as const;
export type Application = keyof typeof settings;
export const applications = Object.keys(settings) as Application[];

export const isUpcoming = (application: Application) => settings[application] === null;

/** Where an application opens, at an organization if it takes one; null where the operator has set no address. */
export function applicationUrl(application: Application, site: Site, orgUrlName?: string): string | null {
  const setting = settings[application];
  const url = setting && site[setting];
  return url && application === 'sign' && orgUrlName ? `${url}/#/${orgUrlName}` : url;
}
