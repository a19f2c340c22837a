import { ownName } from '#contract/languages.ts';
import { site } from '#web/lib/site.ts';

/** The languages of the portal by their own names. */
export const languageOptions = site.languages.map((tag) => ({ value: tag, label: ownName(tag) }));

/** Whether there is a choice. */
export const isTranslated = languageOptions.length > 1;
