import { lateUiText } from '#contract/text/late-ui.ts';
import styles from './places-credit.module.css';

/** Under whatever tells places of addresses: the licence of their source asks for it. */
export const PlacesCredit = () => (
  <p className={styles.credit}>
    <a href="https://db-ip.com" target="_blank" rel="noreferrer">
      {lateUiText.placesCredit} <span className="visually-hidden">{lateUiText.opensNewTab}</span>
    </a>
  </p>
);
