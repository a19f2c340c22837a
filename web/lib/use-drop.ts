import { type RefObject, useEffect, useEffectEvent } from 'react';

const carriesFile = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') === true;

/** Files on an element, which has `data-over` meanwhile. Elsewhere the browser would open them in place of the page. */
export function useDrop(target: RefObject<HTMLElement | null> | undefined, take: (file: File) => void) {
  const dropped = useEffectEvent(take);
  useEffect(() => {
    const element = target?.current;
    if (!element) return undefined;
    const stop = new AbortController();
    const mark = (over: boolean) => element.toggleAttribute('data-over', over);
    const on = (kind: 'dragover' | 'dragleave' | 'drop', act: (event: DragEvent, isHere: boolean) => void) =>
      addEventListener(
        kind,
        (event) => carriesFile(event) && act(event, event.composedPath().includes(element)),
        { signal: stop.signal },
      );
    on('dragover', (event, isHere) => {
      mark(isHere);
      if (!isHere && event.defaultPrevented) return;
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = isHere ? 'copy' : 'none';
    });
    on('dragleave', (event) => event.relatedTarget === null && mark(false));
    on('drop', (event, isHere) => {
      mark(false);
      event.preventDefault();
      const [file] = event.dataTransfer?.files ?? [];
      if (isHere && file) dropped(file);
    });
    return () => stop.abort();
  }, [target]);
}
