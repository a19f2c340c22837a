import { useState } from 'react';
import { profileText as text } from '#words/profile.ts';
import { Button } from '#web/ui/button.tsx';
import { latePopup } from '#web/ui/late.tsx';
import { Card } from '#web/ui/sections.tsx';
import { RESEND_WAIT_SECONDS } from '#contract/limits.ts';
import { recovery } from '#contract/sign-in/recovery.ts';
import { asClock, useCountdown } from '#web/lib/countdown.ts';
import { useCall } from '#web/lib/use-call.ts';
import { Notice } from '#web/ui/notice.tsx';

const PasswordDialog = latePopup(async () => (await import('./password-dialog.tsx')).PasswordDialog);

export function PasswordCard({ email }: { email: string | null }) {
  // Password managers lead here.
  const [isOpen, setOpen] = useState(() => location.hash === '#change-password');
  return (
    <Card>
      <div>
        <Button onClick={() => setOpen(true)}>{text.password}</Button>
      </div>
      {isOpen && <PasswordDialog email={email} onClose={() => setOpen(false)} />}
    </Card>
  );
}

export function FirstPasswordCard({ email }: { email: string | null }) {
  const { run, busy } = useCall(recovery.forgotPassword);
  const { left, restart } = useCountdown(RESEND_WAIT_SECONDS, { running: false });
  const [isSent, setSent] = useState(false);
  const waiting = left > 0;
  const send = async (to: string) => {
    if (!(await run({ email: to }))) return;
    setSent(true);
    restart();
  };
  if (email === null) return <Card>{text.noPasswordNoEmail}</Card>;
  const button = (
    <Button busy={busy} disabled={waiting} onClick={() => void send(email)}>
      <span className="tabular">
        {waiting ? text.pendingAgainIn({ time: asClock(left) }) : text.mailPasswordLink}
      </span>
    </Button>
  );
  return (
    <Card foot={button}>
      <output>
        {isSent ? <Notice kind="info">{text.passwordLinkSent({ email })}</Notice> : text.noPassword}
      </output>
    </Card>
  );
}
