import { useState } from 'react';
import { profileText as text } from '#words/profile.ts';
import { Button } from '#web/ui/button.tsx';
import { latePopup } from '#web/ui/late.tsx';
import { Card } from '#web/ui/sections.tsx';

const PasswordDialog = latePopup(async () => (await import('./password-dialog.tsx')).PasswordDialog);

export function PasswordCard({ email }: { email: string | null }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Card>
      <div>
        <Button onClick={() => setOpen(true)}>{text.password}</Button>
      </div>
      {isOpen && <PasswordDialog email={email} onClose={() => setOpen(false)} />}
    </Card>
  );
}
