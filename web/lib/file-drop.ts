import { type RefObject, useEffect, useEffectEvent, useState } from 'react';

/** Takes a file that is dropped on the element; true while one hovers over it. */
export function useFileDrop(element: RefObject<HTMLElement | null>, onDrop: (file: File) => void): boolean {
  const [isOver, setOver] = useState(false);
  const hover = useEffectEvent((event: DragEvent) => {
    // Else the browser would open the file in place of the page.
    event.preventDefault();
    setOver(event.type === 'dragover');
  });
  const drop = useEffectEvent((event: DragEvent) => {
    hover(event);
    const [file] = event.dataTransfer?.files ?? [];
    if (file) onDrop(file);
  });
  useEffect(() => {
    const target = element.current;
    const stop = new AbortController();
    const { signal } = stop;
    for (const kind of ['dragover', 'dragleave'] as const)
      target?.addEventListener(kind, (event) => hover(event), { signal });
    target?.addEventListener('drop', (event) => drop(event), { signal });
    return () => stop.abort();
  }, [element]);
  return isOver;
}
