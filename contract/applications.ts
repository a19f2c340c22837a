import type { Site } from '#contract/site.ts';

/**
 * The suite's applications in display order, with the setting that holds the address. Null: not released yet.
 */
const settings = { sign: 'signUrl', seo: 'seoUrl', forms: null, surveys: null } as const;
export type Application = keyof typeof settings;
export const applications = Object.keys(settings) as Application[];

export const isUpcoming = (application: Application) => settings[application] === null;

/**
 * The address of an application, at the organization if it supports one. Null if the operator has set no
 * address.
 */
export function applicationUrl(application: Application, site: Site, orgUrlName?: string): string | null {
  const setting = settings[application];
  const url = setting && site[setting];
  return url && application === 'sign' && orgUrlName ? `${url}/#/${orgUrlName}` : url;
}
