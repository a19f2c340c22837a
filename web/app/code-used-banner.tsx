import { Link } from '@tanstack/react-router';
import { codeUsedText as text } from '#words/code-used.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { OWN_SEGMENT } from '#contract/pages.ts';
import { useSession } from './session-context.ts';
import styles from './shell.module.css';

export function CodeUsedBanner({ left }: { left: number }) {
  const { current } = useSession();
  return (
    <div className={styles.banner}>
      <Notice
        kind="warning"
        action={
          <Link
            className={buttonClass({ size: 'small' })}
            to="/$orgId/myprofile"
            params={{ orgId: current?.urlName ?? OWN_SEGMENT }}
            hash="ways-in"
          >
            {text.replace}
          </Link>
        }
      >
        {text.words({ left })}
      </Notice>
    </div>
  );
}
