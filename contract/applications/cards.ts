import type { RegisteredApplication, Site } from '#contract/site.ts';
import type { OrgId } from '#contract/wire.ts';
import { applicationText } from '#words/application.ts';

/** The suite's applications in display order, with the setting that holds the address. Null: not released yet. */
const settings = { sign: 'signUrl', seo: 'seoUrl', forms: null, surveys: null } as const;
export type Application = keyof typeof settings;
export const applications = Object.keys(settings) as Application[];

export const isUpcoming = (application: Application) => settings[application] === null;

/** The address of an application, at the organization if it supports one. Null if the operator has set none. */
export function applicationUrl(application: Application, site: Site, orgUrlName?: string): string | null {
  const setting = settings[application];
  const url = setting && site[setting];
  return url && application === 'sign' && orgUrlName ? `${url}/#/${orgUrlName}` : url;
}

export type Card = Pick<RegisteredApplication, 'name' | 'description' | 'icon'> & {
  /** Where it opens; null while it cannot be opened. */
  readonly url: string | null;
  /** The default registration, whose words and picture stand in for missing ones. */
  readonly application: Application | null;
};

const isNamed = (application: Application, { name }: RegisteredApplication) =>
  name.toLowerCase() === applicationText[application].toLowerCase();

/** The cards of My Apps and the home page: default applications, those registered under their names, the others. */
export function cardsOf(site: Site, organization?: { readonly id: OrgId; readonly urlName: string }): Card[] {
  const open = site.applications.filter(({ membersOf }) => !membersOf || membersOf === organization?.id);
  const standard = applications.map((application): Card => {
    const registered = open.find((one) => isNamed(application, one));
    if (registered) return { ...registered, application };
    const url = applicationUrl(application, site, organization?.urlName);
    return { name: applicationText[application], description: '', icon: null, url, application };
  });
  const others = open.filter((one) => !applications.some((each) => isNamed(each, one)));
  return [...standard, ...others.map((one) => ({ ...one, application: null }))];
}
