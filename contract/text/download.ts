export const downloadText = {
  kilobytes: '{count} kB',
  megabytes: '{count} MB',
} as const;
