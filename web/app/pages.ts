import { LayoutGrid, type LucideIcon, UserRound } from 'lucide-react';
import type { ComponentType } from 'react';
import type { Organization } from '#contract/organizations.ts';
import { areaText } from '#contract/text/area.ts';
import type { User } from '#contract/user.ts';

/** What every page of an organization is given; each takes what it needs. */
export type PageProps = {
  organization: Organization;
  user: User;
  /** Shows the changed person in header and pages at once. */
  onUserChanged: (user: User) => void;
};

type Page = {
  label: string;
  icon: LucideIcon;
  mayOpen: (organization: Organization) => boolean;
  load: () => Promise<ComponentType<PageProps>>;
};

const everyone = () => true;

/** The pages of an organization in the order of the side menu, by their path segment; a new page is one entry here. */
export const pages = {
  myapps: {
    label: areaText.myApps,
    icon: LayoutGrid,
    mayOpen: everyone,
    load: async () => (await import('#web/organizations/my-apps-page.tsx')).MyAppsPage,
  },
  myprofile: {
    label: areaText.myProfile,
    icon: UserRound,
    mayOpen: everyone,
    load: async () => (await import('#web/profile/profile-page.tsx')).ProfilePage,
  },
} as const satisfies Record<string, Page>;

export type PageName = keyof typeof pages;
export const pageNames = Object.keys(pages) as PageName[];

/** Whether there is such a page, whatever the role. */
export const isPage = (name: string): name is PageName => Object.hasOwn(pages, name);

export const openPages = (organization: Organization) =>
  pageNames.filter((name) => (pages[name] as Page).mayOpen(organization));
