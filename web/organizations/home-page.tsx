import { homeText as text } from '#words/home.ts';
import { publicText } from '#words/public.ts';
import { useAside } from '#web/lib/navigate.ts';
import { whyLeft } from '#web/lib/stored-text.ts';
import type { PublicPage } from '#web/public-pages/public-page.ts';
import { shownOnce } from '#web/public-pages/shown-once.ts';
import { Doorway } from './doorway.tsx';
import { HomeApps } from './home-apps.tsx';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Brand } from '#web/ui/mark.tsx';
import styles from './home-page.module.css';

const useWhyLeft = shownOnce(whyLeft);

function HomePage() {
  const why = useWhyLeft();
  const signUp = useAside('/signup');
  const signIn = useAside('/login');
  return (
    <div className={styles.page}>
      <header className={styles.top}>
        <a href="/" className={styles.home} aria-label={publicText.home}>
          <Brand />
        </a>
        <nav aria-label={text.ways} className={styles.ways}>
          <Button href={signIn} kind="quiet">
            {text.signIn}
          </Button>
          <Button href={signUp} className={styles.wideOnly}>
            {text.signUp}
          </Button>
        </nav>
      </header>
      <main>
        {why && (
          <p role="alert" className={styles.why}>
            {why}
          </p>
        )}
        <section className={styles.hero}>
          <div className={styles.words}>
            <h1>{text.heading}</h1>
            <p>{text.lead}</p>
            <div className={styles.ways}>
              <Button href={signUp} kind="primary" className={styles.large}>
                {text.signUp}
                <Icon d="M5 12h14M12 5l7 7-7 7" />
              </Button>
              <Button href={signIn} className={styles.large}>
                {text.signIn}
              </Button>
            </div>
          </div>
          <Doorway />
        </section>
        <HomeApps />
        <section className={styles.section} aria-labelledby="account">
          <h2 id="account">{text.accountHeading}</h2>
          <dl className={styles.facts}>
            {Object.entries(text.facts).map(([key, fact]) => (
              <div key={key}>
                <dt>{fact.name}</dt>
                <dd>{fact.about}</dd>
              </div>
            ))}
          </dl>
        </section>
      </main>
      <footer className={styles.footer}>
        <span>{text.footer}</span>
        <a href="/support">{text.support}</a>
      </footer>
    </div>
  );
}

export const page: PublicPage = { title: text.title, View: HomePage };
