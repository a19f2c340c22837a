import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { site } from '#web/lib/site.ts';

/** A changed heading takes the focus, because the focused element is gone. */
export function PageHead({ heading, lead }: { heading: string; lead: ReactNode }) {
  const element = useRef<HTMLHeadingElement>(null);
  const lastHeading = useRef(heading);
  // At once: after the paint, the focus could leave a button that the person has already reached.
  useLayoutEffect(() => {
    if (lastHeading.current !== heading) element.current?.focus();
    lastHeading.current = heading;
  }, [heading]);
  return (
    <header>
      <h1 ref={element} tabIndex={-1}>
        {heading}
      </h1>
      <p>{lead}</p>
      <Destination />
    </header>
  );
}

/** Its styles are in `destination.css`, which the server adds to pages that name an application. */
function Destination() {
  const named = site.destination;
  return (
    named && (
      <p className="destination">
        <span data-letter={named.letter} aria-hidden="true">
          {named.icon && <img src={named.icon} alt="" loading="lazy" />}
        </span>
        <strong>{named.sentence}</strong>
        <small>{named.publisher}</small>
      </p>
    )
  );
}
