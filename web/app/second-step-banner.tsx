import { Link, useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { dayIn } from '#contract/dates.ts';
import type { Organization } from '#contract/organizations/calls.ts';
import { awaitingText as text } from '#contract/text/second-step-rule.ts';
import { fill } from '#contract/text.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { goOn } from '#web/public-pages/go-on.ts';
import { OWN_SEGMENT, SECOND_STEP_PATH } from './landing.ts';
import { closedBySecondStep, type Session } from './session.ts';
import { useSession } from './session-context.ts';
import styles from './shell.module.css';

export function SecondStepBanner() {
  const session = useSession();
  const { pathname, search } = useLocation();
  const isThere = pathname.endsWith('/myprofile');
  const banner =
    closedBanner(session, isThere, search) ??
    (session.current && laterBanner(session, session.current, isThere));
  return banner && <div className={styles.banner}>{banner}</div>;
}

const small = buttonClass({ size: 'small' });

/** Announces a rule of any organization before its day. Later, the page of the closed organization explains it. */
function laterBanner(
  { awaiting = [], user }: Session,
  { urlName }: Organization,
  isThere: boolean,
): ReactNode {
  const later = awaiting.find(({ isClosed }) => !isClosed);
  if (!later || later.rule === 'none') return undefined;
  const words = { organization: later.name, day: dayIn(user.timeZone)(later.from) };
  return (
    <Notice
      kind="warning"
      action={
        !isThere && (
          <Link className={small} to="/$orgId/myprofile" params={{ orgId: urlName }}>
            {text.setUp}
          </Link>
        )
      }
    >
      {fill(text.bannerLater[later.rule], words)}
    </Notice>
  );
}

/**
 * Names the closed organization in the query, or the first one if none is open. The query also holds where the person
 * goes once it is open.
 */
function closedBanner(session: Session, isThere: boolean, search: { readonly org?: string }): ReactNode {
  const oneOf = <T extends { readonly urlName: string }>(list: readonly T[]) =>
    list.find(({ urlName }) => urlName === search.org) ?? (session.current ? undefined : list[0]);
  const closed = oneOf(closedBySecondStep(session));
  if (!closed) {
    const open = oneOf(session.others);
    if (!open) return undefined;
    return (
      <Notice
        kind="success"
        announce
        action={
          <a
            className={small}
            href={`/${open.urlName}`}
            onClick={(event) => {
              event.preventDefault();
              void goOn(`/${open.urlName}`);
            }}
          >
            {fill(text.open, { organization: open.name })}
          </a>
        }
      >
        {fill(text.bannerOpen, { organization: open.name })}
      </Notice>
    );
  }
  if (closed.rule === 'none') return undefined;
  const words = { organization: closed.name };
  return (
    <Notice
      kind="warning"
      action={
        closed.isReady ? (
          <Link className={small} to={SECOND_STEP_PATH} search={{ ...search, org: closed.urlName }}>
            {text.confirmTitle}
          </Link>
        ) : (
          !isThere && (
            <Link className={small} to={`/${OWN_SEGMENT}/myprofile`} search={search}>
              {text.setUp}
            </Link>
          )
        )
      }
    >
      {fill(closed.isReady ? text.bannerReady : text.bannerClosed[closed.rule], words)}
    </Notice>
  );
}
