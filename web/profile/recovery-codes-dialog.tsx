import { Copy, Download, Printer } from 'lucide-react';
import { useRef, useState } from 'react';
import { dayIn } from '#contract/dates.ts';
import { productSlug } from '#contract/product-slug.ts';
import { recoveryDialogText as text } from '#words/recovery-dialog.ts';
import type { User } from '#contract/profile/user.ts';
import { copy } from '#web/lib/copy.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogDone } from '#web/ui/dialog.tsx';
import styles from './recovery-codes-dialog.module.css';

type Props = { codes: readonly string[]; user: User; onClose: () => void };

export function RecoveryCodesDialog({ codes, user, onClose }: Props) {
  const [isSaved, setSaved] = useState(false);
  const copyButton = useRef<HTMLButtonElement>(null);
  const heading = text.heading({ email: user.email ?? user.fullName });
  const [today] = useState(() => dayIn(user.timeZone)(new Date()));
  const madeLine = text.made({ day: today });
  const sheet = `${heading}\n${madeLine}\n\n${codes.join('\n')}\n`;
  const acts = [
    { name: text.copy, icon: <Copy />, ref: copyButton, act: async () => copy(sheet) },
    { name: text.download, icon: <Download />, ref: undefined, act: () => download(sheet) },
    { name: text.print, icon: <Printer />, ref: undefined, act: () => print() },
  ];
  return (
    <Dialog
      onClose={onClose}
      title={text.title}
      description={text.lead}
      initialFocus={copyButton}
      unsaved={!isSaved}
      question={text.closing}
      footer={<DialogDone>{text.done}</DialogDone>}
    >
      <div className={styles.sheet}>
        <p className={styles.heading}>{heading}</p>
        <p className={styles.heading}>{madeLine}</p>
        <ul className={styles.codes} aria-label={text.codes}>
          {codes.map((code) => (
            <li key={code}>
              <bdi dir="ltr">{code}</bdi>
            </li>
          ))}
        </ul>
      </div>
      <div className={styles.acts}>
        {acts.map(({ name, icon, act, ref }) => (
          <Button
            key={name}
            ref={ref}
            icon={icon}
            onClick={() =>
              void Promise.resolve(act()).then((worked) => setSaved((now) => now || (worked ?? true)))
            }
          >
            {name}
          </Button>
        ))}
      </div>
    </Dialog>
  );
}

function download(sheet: string) {
  const url = URL.createObjectURL(new Blob([sheet], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `${productSlug()}-recovery-codes.txt`;
  link.click();
  URL.revokeObjectURL(url);
}
