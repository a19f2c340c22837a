import { ChartNoAxesColumn, ClipboardList, type LucideIcon, MessagesSquare, Signature } from 'lucide-react';
import type { Site } from '#contract/site.ts';
import { applicationText } from '#contract/text/applications.ts';
import { organizationText } from '#contract/text/organizations.ts';

/** `upcoming`: not built yet. An application without an address is not set up here. */
export type Application = {
  name: string;
  hint: string;
  icon: LucideIcon;
  upcoming: boolean;
  url: string | null;
};

/** The suite's applications and where this organization finds them. */
export const applicationsOf = (site: Site, orgUrlName: string): Application[] => [
  {
    name: applicationText.sign,
    hint: organizationText.signatureHint,
    icon: Signature,
    upcoming: false,
    url: site.signUrl && `${site.signUrl.replace(/\/$/, '')}/#/${orgUrlName}`,
  },
  {
    name: applicationText.seo,
    hint: organizationText.seoHint,
    icon: ChartNoAxesColumn,
    upcoming: false,
    url: site.seoUrl,
  },
  {
    name: applicationText.forms,
    hint: organizationText.formsHint,
    icon: ClipboardList,
    upcoming: true,
    url: null,
  },
  {
    name: applicationText.surveys,
    hint: organizationText.surveysHint,
    icon: MessagesSquare,
    upcoming: true,
    url: null,
  },
];
