import { DATA_EXPORT_DAYS, PRODUCT_NAME } from '#contract/limits.ts';
import { archiveText } from '#contract/text/data-export-page.ts';

export const ownDataText = {
  ...archiveText,
  title: 'Download my data',
  lead: `Everything that ${PRODUCT_NAME} holds about you, as one ZIP file that you can read.`,
  none: `We make the file and mail you when it is ready. You can then download it here for ${DATA_EXPORT_DAYS} days.`,
  making: 'We are making your file. You don’t have to wait: we mail you when it is ready.',
  slow: 'Your file takes longer than usual. We mail you when it is ready.',
  ready: 'Your file ({size}) is ready, and we have mailed you. You can download it here until {date}.',
  unconfirmed: 'Please confirm your email address first. Until then it may be somebody else’s.',
  request: 'Ask for my data',
} as const;
