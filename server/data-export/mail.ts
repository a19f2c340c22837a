import { profileSections } from '#contract/profile/sections.ts';
import { dataExportMail, organizationExportMail } from '#contract/text/data-export.ts';
import { mailOf } from '#server/mail/frame.ts';

/** To the person whose archive is ready. The page asks for a proof, so the link carries no secret. */
export const exportReadyMail = ({ origin }: URL) =>
  mailOf(dataExportMail, {}, `${origin}/account/myprofile#${profileSections.data}`);

type Organization = { readonly organization: string; readonly urlName: string };
export const organizationExportReadyMail = ({ origin }: URL, { organization, urlName }: Organization) =>
  mailOf(organizationExportMail, { organization }, `${origin}/${urlName}/organization/data`);
