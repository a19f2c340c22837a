import { copyText as text } from '#contract/text/copy.ts';
import { showAlert } from './alert-store.ts';

/** Copies a text; returns whether that worked. */
export const copy = (value: string) =>
  navigator.clipboard.writeText(value).then(
    () => showAlert({ kind: 'success', text: text.copied }),
    () => showAlert({ kind: 'danger', text: text.failed }),
  );
