import { type ReactNode, useEffect, useRef } from 'react';

type Props = { heading: string; lead: ReactNode };

/** The title of a page and its one sentence. A title that changes takes the focus, for what had it is gone. */
export function PageHead({ heading, lead }: Props) {
  const element = useRef<HTMLHeadingElement>(null);
  const shown = useRef(heading);
  useEffect(() => {
    if (shown.current !== heading) element.current?.focus();
    shown.current = heading;
  }, [heading]);
  return (
    <header>
      <h1 ref={element} tabIndex={-1}>
        {heading}
      </h1>
      <p>{lead}</p>
    </header>
  );
}
