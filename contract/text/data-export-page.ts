import { DATA_EXPORT_DAYS, PRODUCT_NAME } from '#contract/limits.ts';

/** Download my data, at the top of Delete Account. */
export const dataExportPageText = {
  title: 'Download my data',
  lead: `Everything that ${PRODUCT_NAME} holds about you, as one ZIP file that you can read.`,
  none: `We make the file and mail you when it is ready. You can then download it here for ${DATA_EXPORT_DAYS} days.`,
  making: 'We are making your file. You don’t have to wait: we mail you when it is ready.',
  slow: 'Your file takes longer than usual. We mail you when it is ready. If no mail comes within a day, please ask again.',
  ready: 'Your file ({size}) is ready. You can download it until {date}.',
  unconfirmed: 'Please confirm your email address first. Until then it may be somebody else’s.',
  request: 'Ask for my data',
  requestAgain: 'Make a new file',
  download: 'Download',
  downloaded: '{file} is downloaded.',
} as const;
