import { useState } from 'react';
import { areaText } from '#words/area.ts';
import { classNames } from '#web/ui/class-names.ts';
import { LoaderBar } from '#web/ui/loader-bar.tsx';
import { Brand } from '#web/ui/mark.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { isOwnPath } from './landing.ts';
import styles from './shell.module.css';
import { rememberedShell } from './storage.ts';

const links = ['half', 'most'] as const;
const fields = ['a', 'b', 'c', 'd', 'e', 'f'];

export function AreaSkeleton() {
  const [{ menu: hadMenu, banner }] = useState(rememberedShell);
  const menu = hadMenu || isOwnPath(location.pathname);
  return (
    <div className={classNames(styles.shell, !menu && styles.withoutMenu)}>
      <header className={styles.header}>
        <span className={styles.brand}>
          <Brand />
        </span>
        {menu && (
          <>
            <span className={styles.slash} />
            <span className={styles.nameLoading}>
              <Skeleton width="full" />
            </span>
          </>
        )}
        <div className={styles.end}>
          <Skeleton shape="avatar" />
        </div>
      </header>
      <div className={styles.loader}>
        <LoaderBar active />
      </div>
      {menu && (
        <div className={styles.side}>
          <div className={styles.linksLoading}>
            {links.map((width) => (
              <Skeleton key={width} width={width} />
            ))}
          </div>
        </div>
      )}
      <main className={styles.main} aria-busy="true">
        <h1 className="visually-hidden">{areaText.loadingArea}</h1>
        <div className={styles.content}>
          {banner && <div className={styles.bannerLoading} />}
          <div className={styles.titleLoading}>
            <Skeleton shape="title" width="third" />
            <Skeleton width="half" />
          </div>
          <div className={menu ? styles.splitLoading : undefined}>
            {menu && (
              <div className={styles.wordsLoading}>
                <Skeleton width="half" />
                <Skeleton width="most" />
              </div>
            )}
            <div className={styles.cardLoading}>
              {menu && <Skeleton shape="picture" />}
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
