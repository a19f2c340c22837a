import { copyText as text } from '#words/copy.ts';
import { showAlert } from './alert-store.ts';

/** Copies a text; returns whether that worked. Without https a browser has no clipboard. */
export async function copy(value: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(value);
    showAlert({ kind: 'success', text: text.copied });
    return true;
  } catch {
    showAlert({ kind: 'danger', text: text.failed });
    return false;
  }
}
