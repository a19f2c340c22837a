import { useEffect } from 'react';

/** The forms on this page with changes that are not saved yet. */
const unsaved = new Set<object>();

/** While `changed`, whatever leads away from the page asks first whether the changes may be lost. */
export function useUnsaved(changed: boolean) {
  useEffect(() => {
    if (!changed) return undefined;
    const form = {};
    unsaved.add(form);
    return () => void unsaved.delete(form);
  }, [changed]);
}

export const hasUnsaved = () => unsaved.size > 0;

/** The changes may be lost: the person said so, or nothing can save them any more. */
export const forgetUnsaved = () => unsaved.clear();
