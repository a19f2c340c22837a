import {
  ChartNoAxesCombined,
  ClipboardList,
  FileSignature,
  type LucideIcon,
  MessagesSquare,
} from 'lucide-react';
import type { Site } from '#contract/site.ts';
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
    name: organizationText.signature,
    hint: organizationText.signatureHint,
    icon: FileSignature,
    upcoming: false,
    url: site.signUrl && `${site.signUrl.replace(/\/$/, '')}/#/${orgUrlName}`,
  },
  {
    name: organizationText.seo,
    hint: organizationText.seoHint,
    icon: ChartNoAxesCombined,
    upcoming: false,
    url: site.seoUrl,
  },
  {
    name: organizationText.forms,
    hint: organizationText.formsHint,
    icon: ClipboardList,
    upcoming: true,
    url: null,
  },
  {
    name: organizationText.surveys,
    hint: organizationText.surveysHint,
    icon: MessagesSquare,
    upcoming: true,
    url: null,
  },
];
