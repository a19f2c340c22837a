import { PRODUCT_NAME } from '#contract/limits.ts';
import { areaText } from '#contract/text/area.ts';
import { LoaderBar } from '#web/ui/loader-bar.tsx';
import { Brand } from '#web/ui/mark.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import styles from './shell.module.css';

const links = ['half', 'most'] as const;
const fields = ['a', 'b', 'c', 'd'];

/** The shell before it is known who is here: the same places, still empty. */
export function AreaSkeleton() {
  return (
    <div className={styles.shell}>
      <header className={styles.header}>
        <span className={styles.brand}>
          <Brand>{PRODUCT_NAME}</Brand>
        </span>
        <div className={styles.end}>
          <Skeleton shape="avatar" />
        </div>
      </header>
      <div className={styles.loader}>
        <LoaderBar active />
      </div>
      <div className={styles.side}>
        <div className={styles.linksLoading}>
          {links.map((width) => (
            <Skeleton key={width} width={width} />
          ))}
        </div>
      </div>
      <main className={styles.main} aria-busy="true">
        <h1 className="visually-hidden">{areaText.loadingArea}</h1>
        <div className={styles.contentLoading}>
          <Skeleton shape="title" width="third" />
          <Skeleton width="half" />
          <div className={styles.splitLoading}>
            <div className={styles.wordsLoading}>
              <Skeleton width="half" />
              <Skeleton width="most" />
            </div>
            <div className={styles.cardLoading}>
              <Skeleton shape="picture" />
              <div className={styles.fieldsLoading}>
                {fields.map((field) => (
                  <Skeleton key={field} shape="field" width="full" />
                ))}
              </div>
            </div>
          </div>
        </div>
      </main>
    </div>
  );
}
