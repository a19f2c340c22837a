import { Menu, X } from 'lucide-react';
import { useRef } from 'react';
import { product } from '#contract/product.ts';
import type { Organization } from '#contract/organizations/calls.ts';
import { areaText } from '#words/area.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Brand } from '#web/ui/mark.tsx';
import { PageLinks } from './page-links.tsx';
import styles from './menu-sheet.module.css';

/** For narrow screens. A native `<dialog>`, because it traps the focus. */
export function MenuSheet({ organization }: { organization: Organization | null }) {
  const sheet = useRef<HTMLDialogElement>(null);
  const close = () => sheet.current?.close();
  return (
    <>
      <span className={styles.opener}>
        <IconButton
          name={areaText.menu}
          icon={<Menu />}
          aria-haspopup="dialog"
          onClick={() => sheet.current?.showModal()}
        />
      </span>
      <dialog ref={sheet} className={styles.sheet} aria-label={areaText.menu} closedby="any">
        <div className={styles.head}>
          <Brand>{organization?.applicationName ?? product.name}</Brand>
          <IconButton name={areaText.closeMenu} icon={<X />} onClick={close} />
        </div>
        <PageLinks organization={organization} onPick={close} />
      </dialog>
    </>
  );
}
