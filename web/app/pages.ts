import {
  Building2,
  History,
  LayoutGrid,
  type LucideIcon,
  Mail,
  MonitorSmartphone,
  UserRound,
  UserRoundX,
} from 'lucide-react';
import type { ComponentType } from 'react';
import type { InnerPath, MenuPath, PagePath } from '#contract/pages.ts';
import type { Actor, Rank } from '#contract/members/authority.ts';
import type { Organization } from '#contract/organizations/calls.ts';
import { areaText } from '#words/area.ts';
import type { User } from '#contract/profile/user.ts';
import { late } from '#web/ui/late.tsx';

export type PageProps = {
  organization: Organization;
  user: User;
  caller: Actor;
  /** Of the role, application or webhook in the address. */
  id: number | undefined;
  onUserChanged: (changed: Partial<User>) => void;
  onOrganizationChanged: (changed: Partial<Organization>) => void;
};

type LatePage<Props> = ComponentType<Props> & { preload: () => Promise<unknown> };
type Page = { label: string; Page: LatePage<PageProps> };
type MenuPage = Page & {
  icon: LucideIcon;
  mayOpen: (rank: Rank) => boolean;
  apart?: true;
};

const everyone = () => true;
const admins = (rank: Rank) => rank !== 'member';

export const pages = {
  myapps: {
    label: areaText.myApps,
    icon: LayoutGrid,
    mayOpen: everyone,
    Page: late(async () => (await import('#web/organizations/my-apps-page.tsx')).MyAppsPage),
  },
  myprofile: {
    label: areaText.myProfile,
    icon: UserRound,
    mayOpen: everyone,
    Page: late(async () => (await import('./my-profile-page.tsx')).MyProfilePage),
  },
  communications: {
    label: areaText.communications,
    icon: Mail,
    mayOpen: everyone,
    Page: late<object>(
      async () => (await import('#web/communications/communications-page.tsx')).CommunicationsPage,
    ),
  },
  organization: {
    label: areaText.organization,
    icon: Building2,
    mayOpen: admins,
    Page: late(async () => (await import('./organization-page.tsx')).OrganizationPage),
  },
  signindevices: {
    label: areaText.signinDevices,
    icon: MonitorSmartphone,
    mayOpen: everyone,
    Page: late(async () => (await import('#web/sessions/devices-page.tsx')).DevicesPage),
  },
  recentactivity: {
    label: areaText.recentActivity,
    icon: History,
    mayOpen: everyone,
    Page: late(async () => (await import('#web/activity/activity-page.tsx')).ActivityPage),
  },
  deleteaccount: {
    label: areaText.deleteAccount,
    icon: UserRoundX,
    apart: true,
    mayOpen: everyone,
    Page: late(async () => (await import('#web/accounts/delete-account-page.tsx')).DeleteAccountPage),
  },
} as const satisfies Record<MenuPath, MenuPage>;

export type OwnPageProps = Pick<PageProps, 'user' | 'onUserChanged'>;

/** The pages that need no organization. A person without one opens them at `/account/…`. */
export const ownPages = {
  myprofile: pages.myprofile,
  communications: pages.communications,
  signindevices: pages.signindevices,
  deleteaccount: pages.deleteaccount,
} as const satisfies Partial<Record<keyof typeof pages, { Page: LatePage<OwnPageProps> }>>;
export type OwnPageName = keyof typeof ownPages;
export const ownPageNames = Object.keys(ownPages) as OwnPageName[];

/** Pages below a menu page, by path. The rights of the menu page apply. */
const innerPages = {
  'organization/role': {
    label: areaText.addRole,
    Page: late(async () => (await import('#web/roles/add-role-page.tsx')).AddRolePage),
  },
  'organization/role/$id': {
    label: areaText.role,
    Page: late(async () => (await import('#web/roles/role-page.tsx')).RolePage),
  },
  'organization/applications': {
    label: areaText.applications,
    Page: late(async () => (await import('#web/applications/own-applications-page.tsx')).OwnApplicationsPage),
  },
  'organization/applications/$id': {
    label: areaText.application,
    Page: late(async () => (await import('#web/applications/own-application-page.tsx')).OwnApplicationPage),
  },
  'organization/webhooks': {
    label: areaText.webhooks,
    Page: late(async () => (await import('#web/webhooks/webhooks-page.tsx')).WebhooksPage),
  },
  'organization/webhooks/$id': {
    label: areaText.webhook,
    Page: late(async () => (await import('#web/webhooks/webhook-page.tsx')).WebhookPage),
  },
  'organization/signin': {
    label: areaText.companySignIn,
    Page: late(async () => (await import('./company-sign-in-page.tsx')).CompanySignInPage),
  },
  'organization/data': {
    label: areaText.organizationData,
    Page: late(
      async () => (await import('#web/organizations/organization-data-page.tsx')).OrganizationDataPage,
    ),
  },
} satisfies Record<InnerPath, Page>;

const pageNames = Object.keys(pages) as MenuPath[];
const allPages: Record<PagePath, Page> = { ...pages, ...innerPages };
export const pagePaths = Object.keys(allPages) as PagePath[];
export const pageOf = (path: PagePath): Page => allPages[path];

/** The page at an address. An id in the address counts as `$id`. */
export function pageAt(address: string): PagePath | undefined {
  const [, ...rest] = address.split('/').filter((segment) => segment !== '');
  const path = rest.join('/').replace(/\/[1-9]\d{0,14}$/, '/$id');
  return pagePaths.find((candidate) => candidate === path);
}

/** Waits for the account's proof, because it shows the account itself. */
export const isOfAccount = (path: PagePath) =>
  ['myprofile', 'communications', 'signindevices', 'deleteaccount'].includes(path);

export const pagesFor = (rank: Rank) => pageNames.filter((name) => pages[name].mayOpen(rank));
