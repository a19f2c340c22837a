import { DATA_EXPORT_DAYS } from '#contract/limits.ts';
import { archiveText } from '#contract/text/data-export-page.ts';

/** For Super Admins. */
export const organizationDataText = {
  ...archiveText,
  title: 'Download the organization’s data',
  organization: 'Organization',
  superAdminsOnly: 'Only Super Admins download the organization’s data.',
  unlisted: 'Only Super Admins download the data of {organization}.',
  lead: 'Members, roles, settings, applications, webhooks and the activity log, as one ZIP file that people can read.',
  none: `We make the file and mail you when it is ready. Each Super Admin can then download it here for ${DATA_EXPORT_DAYS} days. The activity log shows who did.`,
  making: 'We are making the file that {name} asked for, and mail them when it is ready.',
  slow: 'The file that {name} asked for takes longer than usual. We mail them when it is ready.',
  ready:
    'The file ({size}) that {name} asked for is ready. Each Super Admin can download it here until {date}.',
  unconfirmed: 'Please confirm your email address first.',
  request: 'Ask for the data',
} as const;
