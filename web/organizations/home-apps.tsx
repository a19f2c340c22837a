import { type Application, type Card, cardsOf, isUpcoming } from '#contract/applications/cards.ts';
import { applicationText } from '#words/application.ts';
import { homeText as text } from '#words/home.ts';
import { lateUiText } from '#words/late-ui.ts';
import { site } from '#web/lib/site.ts';
import { Icon } from '#web/ui/icon.tsx';
import { Pill } from '#web/ui/pill.tsx';
import styles from './home-page.module.css';
import { Named } from '#web/ui/named.tsx';

const icons: Readonly<Record<Application, string>> = {
  sign: 'M21 17l-2.156-1.868A.5.5 0 0 0 18 15.5v.5a1 1 0 0 1-1 1h-2a1 1 0 0 1-1-1c0-2.545-3.991-3.97-8.5-4a1 1 0 0 0 0 5c4.153 0 4.745-11.295 5.708-13.5a2.5 2.5 0 1 1 3.31 3.284M3 21h18',
  seo: 'M5 21v-6M12 21V3M19 21V9',
  forms:
    'M9 2h6a1 1 0 0 1 1 1v2a1 1 0 0 1-1 1H9a1 1 0 0 1-1-1V3a1 1 0 0 1 1-1zM16 4h2a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2h2M12 11h4M12 16h4M8 11h.01M8 16h.01',
  surveys:
    'M16 10a2 2 0 0 1-2 2H6.828a2 2 0 0 0-1.414.586l-2.202 2.202A.71.71 0 0 1 2 14.286V4a2 2 0 0 1 2-2h10a2 2 0 0 1 2 2zM20 9a2 2 0 0 1 2 2v10.286a.71.71 0 0 1-1.212.502l-2.202-2.202A2 2 0 0 0 17.172 19H10a2 2 0 0 1-2-2v-1',
};

function State({ application, url }: Card) {
  if (application && url === null && isUpcoming(application))
    return <Pill tone="warn">{applicationText.upcoming}</Pill>;
  if (url === null) return <Pill>{applicationText.notSetUp}</Pill>;
  return <Pill tone="good">{applicationText.available}</Pill>;
}

export function HomeApps() {
  return (
    <section className={styles.section} aria-labelledby="applications">
      <h2 id="applications">{text.appsHeading}</h2>
      <p className={styles.lead}>{text.appsLead}</p>
      <ul className={styles.apps}>
        {cardsOf(site).map((card) => (
          <li key={`${card.name} ${card.url}`} className={styles.app}>
            <AppCard {...card} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function AppCard(card: Card) {
  const { name, description, url, icon, application } = card;
  const letter = icon === null && !application ? Array.from(name)[0]?.toUpperCase() : undefined;
  return (
    <>
      <div className={styles.appTop}>
        <span className={styles.tile} data-letter={letter} aria-hidden="true">
          {icon !== null && <img src={icon} alt="" />}
          {icon === null && application && <Icon d={icons[application]} />}
        </span>
        <State {...card} />
      </div>
      <h3>
        <Named>{name}</Named>
      </h3>
      <p>{description || (application && text.about[application])}</p>
      {url !== null && (
        <a href={url} target="_blank" rel="noreferrer" className={styles.open}>
          {text.open({ app: name })}
          <Icon d="M7 7h10v10M7 17 17 7" />
          <span className="visually-hidden"> {lateUiText.opensNewTab}</span>
        </a>
      )}
    </>
  );
}
