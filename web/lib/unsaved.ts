import { useEffect } from 'react';

/** The forms on this page with unsaved changes. */
const unsaved = new Set<object>();

/** While `changed`, leaving the page first asks whether to discard the changes. */
export function useUnsaved(changed: boolean) {
  useEffect(() => {
    if (!changed) return undefined;
    const form = {};
    unsaved.add(form);
    return () => void unsaved.delete(form);
  }, [changed]);
}

export const hasUnsaved = () => unsaved.size > 0;

/** For changes that the person discards, or that nothing can save any more. */
export const forgetUnsaved = () => unsaved.clear();
