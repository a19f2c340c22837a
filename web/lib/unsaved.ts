import { useEffect } from 'react';

const unsaved = new Set<object>();

export function useUnsaved(changed: boolean) {
  useEffect(() => {
    if (!changed) return undefined;
    const form = {};
    unsaved.add(form);
    return () => void unsaved.delete(form);
  }, [changed]);
}

export const hasUnsaved = () => unsaved.size > 0;

export const forgetUnsaved = () => unsaved.clear();
