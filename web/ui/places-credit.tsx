import { lateUiText } from '#words/late-ui.ts';
import styles from './places-credit.module.css';

/** The credit that the licence of the location data requires wherever locations are shown. */
export const PlacesCredit = () => (
  <p className={styles.credit}>
    <a href="https://db-ip.com" target="_blank" rel="noreferrer">
      {lateUiText.placesCredit} <span className="visually-hidden">{lateUiText.opensNewTab}</span>
    </a>
  </p>
);
