import { DATA_EXPORTS_PER_DAY } from '#contract/limits.ts';

export const archiveText = {
  failed:
    'We could not make the file. Please ask again. If that does not help, ask the people who run this site.',
  tooMany: `That was the last of ${DATA_EXPORTS_PER_DAY} files a day. The next one can be made from {moment}.`,
  nobody: 'a former Super Admin',
  requestAgain: 'Make a new file',
  download: 'Download',
  downloaded: '{file} is downloaded.',
} as const;
