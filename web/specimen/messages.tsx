import { useState } from 'react';
import { showAlert, type AlertKind } from '#web/lib/alert-store.ts';
import { Button } from '#web/ui/button.tsx';
import { LoaderBar } from '#web/ui/loader-bar.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Pill } from '#web/ui/pill.tsx';
import { Porch } from '#web/ui/porch.tsx';
import { Card } from '#web/ui/sections.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import styles from './specimen.module.css';

const samples: { kind: AlertKind; text: string }[] = [
  { kind: 'success', text: 'Profile updated' },
  { kind: 'warning', text: 'No changes' },
  { kind: 'danger', text: 'Oops! Something went wrong' },
  { kind: 'info', text: 'A code was sent to m•••@northwind.io. It may take a minute to arrive.' },
];

/** Alerts, notices, pills, skeletons, the loader bar and the porch. */
export function Messages() {
  const [loading, setLoading] = useState(false);
  return (
    <>
      <Card title="Messages">
        <div className={styles.row}>
          {samples.map((sample) => (
            <Button key={sample.kind} size="small" onClick={() => showAlert(sample)}>
              Show {sample.kind}
            </Button>
          ))}
          <Button size="small" onClick={() => setLoading(!loading)}>
            Loader bar
          </Button>
        </div>
        <LoaderBar active={loading} />
        <Notice kind="danger" title="Please check two fields">
          First name and Email need your attention.
        </Notice>
        <Notice kind="warning" action={<Button size="small">Cancel deletion</Button>}>
          Your account will be deleted on 20 January 2027.
        </Notice>
        <Notice kind="success">The mail was sent. See your inbox.</Notice>
        <Notice kind="info">
          A new email has to be confirmed before it takes effect. <a href="#root">Send it again</a>
        </Notice>
        <div className={styles.row}>
          <Pill tone="good">Active</Pill>
          <Pill tone="warn">Invited</Pill>
          <Pill>Inactive</Pill>
          <Pill tone="bad">Disabled</Pill>
          <Pill tone="accent">Default</Pill>
        </div>
        <div className={styles.row}>
          <Skeleton shape="picture" />
          <Skeleton shape="pill" />
          <Skeleton shape="title" width="third" />
        </div>
        <Skeleton shape="field" />
        <Skeleton />
      </Card>
      <div className={styles.porch}>
        <Porch>
          One door to every application your team works in.
          <small>Sign once, survey once, search once. Your account follows you.</small>
        </Porch>
      </div>
    </>
  );
}
