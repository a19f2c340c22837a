import type { ReactNode } from 'react';
import { showAlert } from '#web/lib/alert-store.ts';
import type { CallError } from '#web/lib/call.ts';
import { present } from '#web/lib/failures.ts';
import { Card, LoadFailed } from '#web/ui/sections.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import styles from './company-sign-in.module.css';

type ListCardProps = {
  title: string;
  lead: string;
  actions: ReactNode;
  list: { data: unknown; isError: boolean; refetch: () => Promise<unknown> };
  /** Read aloud until there is data. */
  loading: string;
  /** Shown in place of a list. */
  empty: false | { icon: ReactNode; title: string; hint: string };
  children: ReactNode;
};

/** A card with a list, or with what there is in place of one. Dialogs are among the children. */
export const ListCard = ({ list, loading, empty, children, ...card }: ListCardProps) => (
  <Card {...card}>
    {list.data === undefined && list.isError && <LoadFailed onRetry={() => void list.refetch()} />}
    {list.data === undefined && !list.isError && (
      <div className={styles.loading} aria-busy="true">
        <Skeleton width="third" />
        <Skeleton width="most" />
        <output className="visually-hidden">{loading}</output>
      </div>
    )}
    {list.data !== undefined && empty && (
      <div className={styles.empty}>
        {empty.icon}
        <strong>{empty.title}</strong>
        <p>{empty.hint}</p>
      </div>
    )}
    <>{children}</>
  </Card>
);

type ItemProps = {
  name: ReactNode;
  pills: ReactNode;
  words?: ReactNode;
  acts?: ReactNode;
  children?: ReactNode;
};

/** One of a card's list: its name and state, what one may do, and more below. */
export const Item = ({ name, pills, words, acts, children }: ItemProps) => (
  <li>
    <div className={styles.head}>
      <div className={styles.words}>
        <div className={styles.name}>
          <strong>{name}</strong>
          {pills}
        </div>
        {words}
      </div>
      {acts && <div className={styles.acts}>{acts}</div>}
    </div>
    {children}
  </li>
);

/** Of an act that somebody else made impossible meanwhile: says so, and shows what there is now. */
export const overtaken = (refetch: () => unknown, onClose?: () => void) => (failure: CallError) => {
  present(failure);
  void refetch();
  onClose?.();
};

/** A confirmed act: calls, shows the new state and says that it is done. */
export const confirmedAct =
  (run: () => Promise<object | undefined>, refetch: () => Promise<unknown>, done: string) => async () => {
    if (!(await run())) return false;
    await refetch();
    showAlert({ kind: 'success', text: done });
    return true;
  };
