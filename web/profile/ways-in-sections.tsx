import type { ReactNode } from 'react';
import { profileSections } from '#contract/pages.ts';
import { waysInText as text } from '#contract/text/ways-in.ts';
import type { User } from '#contract/profile/user.ts';
import { late } from '#web/ui/late.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { Card, Split } from '#web/ui/sections.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import styles from './profile.module.css';

type Cards = Record<'passkeys' | 'twoStep' | 'app' | 'recoveryCodes', ReactNode>;

export const WaysInFrame = ({ passkeys, twoStep, app, recoveryCodes }: Cards) => (
  <>
    <Split id={profileSections.waysIn} title={text.passkeys} lead={text.passkeysLead}>
      {passkeys}
    </Split>
    <Split title={text.twoStep} lead={text.twoStepLead}>
      {twoStep}
    </Split>
    <Split title={text.app} lead={text.appLead}>
      {app}
    </Split>
    <Split title={text.recoveryCodes} lead={text.recoveryCodesLead}>
      {recoveryCodes}
    </Split>
  </>
);
const all = (card: ReactNode) => (
  <WaysInFrame passkeys={card} twoStep={card} app={card} recoveryCodes={card} />
);

/** Stands in until the code has loaded, about as high, so that nothing below moves much. */
const waitingCard = (
  <Card
    foot={
      <div className={styles.waitingButton}>
        <Skeleton shape="field" />
      </div>
    }
  >
    <Skeleton shape="pill" />
    <Skeleton width="half" />
  </Card>
);

export type WaysInProps = { user: User; onUserChanged: (changed: Partial<User>) => void };

export const WaysInSections = late<WaysInProps>(
  async () => (await import('./ways-in-cards.tsx')).WaysInCards,
  {
    whenIdle: true,
    waiting: all(waitingCard),
    failed: (_props, retry) =>
      all(
        <Card>
          <LoadFailed onRetry={retry} />
        </Card>,
      ),
  },
);
