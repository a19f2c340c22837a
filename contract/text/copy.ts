export const copyText = {
  copy: 'Copy {label}',
  copied: 'Copied',
  failed: 'Your browser did not let us copy. Please select the text and copy it.',
} as const;
