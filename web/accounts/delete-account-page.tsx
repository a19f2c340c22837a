import { Link } from '@tanstack/react-router';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { accountDeletion } from '#contract/accounts/deletion.ts';
import type { Output } from '#contract/endpoint.ts';
import { profileSections } from '#contract/profile/sections.ts';
import { deletionText as text } from '#words/deletion.ts';
import { ownDataText } from '#words/own-data.ts';
import type { User } from '#contract/profile/user.ts';
import { call } from '#web/lib/call.ts';
import { dayIn } from '#contract/dates.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { latePopup } from '#web/ui/late.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Card, LoadFailed, Notices, PageHeader, Split } from '#web/ui/sections.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import styles from './delete-account.module.css';
import { TouchedOrganizations } from './touched-organizations.tsx';

const Dialog = latePopup(async () => (await import('./delete-account-dialog.tsx')).DeleteAccountDialog);

/** Members join and leave, so refetch on every visit and on focus. */
const effectsQuery = queryOptions({
  queryKey: ['account-deletion'],
  queryFn: () => call(accountDeletion.effects, {}),
  refetchOnWindowFocus: 'always',
});
type Effects = Output<typeof accountDeletion.effects>;

export function DeleteAccountPage({ user }: { user: User }) {
  const { data, isError, isFetching, refetch } = useQuery(effectsQuery);
  const whyId = useId();
  const [isAsking, setAsking] = useState(false);
  const blockers = data?.organizations.filter(({ effect }) => effect === 'blocks') ?? [];
  const day = dayIn(user.timeZone);
  // Without a confirmed address no link is sent, because the address may be somebody else's.
  const mailAddress = user.confirmed ? user.email : null;
  // A refusal means that something has changed.
  const close = () => {
    setAsking(false);
    void refetch();
  };
  const why = blockerWords(blockers);
  return (
    <>
      <PageHeader title={text.title} lead={text.lead} />
      <Notices>
        <Notice
          kind="info"
          action={
            <Link
              className={buttonClass({ size: 'small' })}
              to="/account/myprofile"
              hash={profileSections.data}
            >
              {ownDataText.title}
            </Link>
          }
        >
          {text.dataFirst}
        </Notice>
      </Notices>
      {isError && !data ? (
        <LoadFailed busy={isFetching} onRetry={() => void refetch()} />
      ) : (
        <div aria-busy={!data}>
          <Split title={text.happens} lead={text.happensHint}>
            <Card>
              <WhatHappens email={mailAddress} effects={data} day={day} />
            </Card>
          </Split>
          <Split title={text.organizations} lead={text.organizationsHint}>
            <Card>
              <TouchedOrganizations organizations={data?.organizations} />
            </Card>
          </Split>
          <Split title={text.goAhead} lead={text.goAheadHint}>
            <Card>
              <p id={whyId}>{why ?? text.nothingHolds}</p>
              <div>
                <Button
                  kind="danger"
                  disabled={!data || why !== undefined}
                  aria-describedby={whyId}
                  onClick={() => setAsking(true)}
                >
                  {text.act}
                </Button>
              </div>
            </Card>
          </Split>
        </div>
      )}
      {isAsking && data && <Dialog effects={data} user={user} date={day(data.deletedOn)} onClose={close} />}
    </>
  );
}

function blockerWords(blocking: Effects['organizations']) {
  const [first, second] = blocking;
  if (!first) return undefined;
  return second ? text.handOverMany({ count: blocking.length }) : text.handOver(first);
}

type Props = { email: string | null; effects: Effects | undefined; day: (time: Date) => string };

function WhatHappens({ email, effects, day }: Props) {
  const images = effects?.images ?? 0;
  return (
    <ol className={styles.steps}>
      <li>
        <h3>{text.atOnce}</h3>
        <p>{text.atOnceEffect}</p>
      </li>
      <li>
        <h3>{text.meanwhile}</h3>
        <p>{email === null ? text.meanwhileNoEmail : text.meanwhileEffect({ email })}</p>
      </li>
      <li>
        <h3>{effects ? text.finally({ date: day(effects.deletedOn) }) : <Skeleton width="third" />}</h3>
        <p>
          {[
            text.finallyEffect,
            ...(images > 0 ? [text.imagesGo({ count: images })] : []),
            text.logStays,
          ].join(' ')}
        </p>
      </li>
    </ol>
  );
}
