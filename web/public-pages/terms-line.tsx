import { consentText } from '#words/consent.ts';
import { site } from '#web/lib/site.ts';
import { legalLinks } from '#web/ui/legal-links.tsx';
import styles from './terms-line.module.css';

const legal = site.brand?.legal;

/** The version on this page, for the call that creates an account. */
export const shownTerms = legal && { termsVersion: legal.version };

export const TermsLine = () => legal && <p className={styles.line}>{consentText.line(legalLinks(legal))}</p>;
