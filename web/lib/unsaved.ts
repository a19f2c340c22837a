import { useEffect } from 'react';

const unsavedForms = new Set<object>();

export function useUnsaved(changed: boolean) {
  useEffect(() => {
    if (!changed) return undefined;
    const form = {};
    unsavedForms.add(form);
    return () => void unsavedForms.delete(form);
  }, [changed]);
}

export const hasUnsaved = () => unsavedForms.size > 0;

export const forgetUnsaved = () => unsavedForms.clear();
