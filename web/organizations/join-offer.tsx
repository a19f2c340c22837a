import { useQueryClient } from '@tanstack/react-query';
import { joinRequests } from '#contract/company-sign-in/joining.ts';
import { dayIn } from '#contract/dates.ts';
import { joinOfferText as text } from '#words/join-offer.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import type { CallError } from '#web/lib/call.ts';
import { present } from '#web/lib/failures.ts';
import { useCall } from '#web/lib/use-call.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Button } from '#web/ui/button.tsx';
import { Named } from '#web/ui/named.tsx';
import { type Offer, joinOfferQuery } from './join-offer-query.ts';
import styles from './switch-organization.module.css';

type Props = {
  offer: Offer;
  onJoined: (urlName: string) => Promise<void>;
};

export function JoinOffer({ offer, onJoined }: Props) {
  const { offeredBy, organization, joining, askedTime } = offer;
  const client = useQueryClient();
  const refetch = () => client.invalidateQueries(joinOfferQuery);
  const outdated = (failure: CallError) => {
    present(failure);
    void refetch();
  };
  const join = useCall(joinRequests.join, {
    not_found: outdated,
    no_changes: () => void refetch(),
    // The popup that offers a larger plan is for the organization's own people.
    sign_max_users_reached: () => showAlert({ kind: 'danger', text: text.full({ organization }) }),
  });
  const withdraw = useCall(joinRequests.withdraw);
  const enter = async () => {
    const answer = await join.run({ offeredBy });
    if (answer?.urlName !== undefined) return onJoined(answer.urlName);
    if (answer) await tell(text.asked({ organization }));
  };
  const takeBack = async () => {
    if (await withdraw.run({})) await tell(text.withdrawn({ organization }));
  };
  const tell = async (words: string) => {
    await refetch();
    showAlert({ kind: 'success', text: words });
  };
  const isClick = joining === 'click';
  return (
    <section>
      <h2 className={styles.heading}>{text.title}</h2>
      <ul className={styles.invitations}>
        <li>
          <Avatar name={organization} shape="square" />
          <div className={styles.words}>
            <strong>
              <Named>{organization}</Named>
            </strong>
            <span>
              {askedTime && !isClick
                ? text.askedOn({ day: dayIn(null)(askedTime) })
                : isClick
                  ? text.mayJoin
                  : text.mayAsk}
            </span>
          </div>
          <div className={styles.answers}>
            {askedTime && !isClick ? (
              <Button
                size="small"
                busy={withdraw.busy}
                aria-label={text.withdrawFrom({ organization })}
                onClick={() => void takeBack()}
              >
                {text.withdraw}
              </Button>
            ) : (
              <Button
                size="small"
                kind="primary"
                busy={join.busy}
                aria-label={(isClick ? text.joinOne : text.askOne)({ organization })}
                onClick={() => void enter()}
              >
                {isClick ? text.join : text.ask}
              </Button>
            )}
          </div>
        </li>
      </ul>
    </section>
  );
}
