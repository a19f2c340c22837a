import { Link, useLocation } from '@tanstack/react-router';
import { dayIn } from '#contract/dates.ts';
import { awaitingText as text } from '#words/awaiting.ts';
import { goOn } from '#web/public-pages/go-on.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { SECOND_STEP_PATH } from './landing.ts';
import { closedBySecondStep } from './session.ts';
import { useSession } from './session-context.ts';
import styles from './shell.module.css';

const small = buttonClass({ size: 'small' });

/** Which organization asks for a second step, and when. The query holds where the person goes once it is open. */
export function SecondStepBanner() {
  const session = useSession();
  const { href, search }: { href: string; search: { readonly org?: string } } = useLocation();
  const { current, others, awaiting = [], needsEntry = [], user } = session;
  const oneOf = <T extends { readonly urlName: string }>(list: readonly T[]) =>
    list.find(({ urlName }) => urlName === search.org) ?? (current ? undefined : list[0]);
  const closed = oneOf(closedBySecondStep(session));
  const enterable = others.filter(({ id }) => needsEntry.every((organization) => organization.id !== id));
  const open = closed ? undefined : oneOf(enterable);
  const asking = closed ?? (open ? undefined : awaiting.find(({ isClosed }) => !isClosed));
  if (open)
    return (
      <div className={styles.banner}>
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
              {text.open({ organization: open.name })}
            </a>
          }
        >
          {text.bannerOpen({ organization: open.name })}
        </Notice>
      </div>
    );
  if (!asking || asking.rule === 'none') return null;
  const words = asking.isReady
    ? text.bannerReady
    : text[asking.isClosed ? 'bannerClosed' : 'bannerLater'][asking.rule];
  return (
    <div className={styles.banner}>
      <Notice
        kind="warning"
        action={
          <Link
            className={small}
            to={SECOND_STEP_PATH}
            search={{ ...(!asking.isClosed && { redirectpath: href }), ...search, org: asking.urlName }}
          >
            {asking.isReady ? text.confirmTitle : text.setUp}
          </Link>
        }
      >
        {words({ organization: asking.name, day: dayIn(user.timeZone)(asking.from) })}
      </Notice>
    </div>
  );
}
