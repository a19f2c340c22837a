import { profileSections } from '#contract/profile/sections.ts';
import { dataExportMailText } from '#words/data-export-mail.ts';
import { organizationExportMailText } from '#words/organization-export-mail.ts';
import { mailOf } from '#server/mail/frame.ts';

/** To the person whose archive is ready. The page asks for a proof, so the link carries no secret. */
export const exportReadyMail = ({ origin }: URL) =>
  mailOf(dataExportMailText, {}, `${origin}/account/myprofile#${profileSections.data}`);

type Organization = { readonly organization: string; readonly urlName: string };
export const organizationExportReadyMail = ({ origin }: URL, { organization, urlName }: Organization) =>
  mailOf(organizationExportMailText, { organization }, `${origin}/${urlName}/organization/data`);
