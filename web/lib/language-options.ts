import { ownName } from '#contract/languages.ts';
import { site } from './site.ts';

export const languageOptions = site.languages.map((tag) => ({ value: tag, label: ownName(tag) }));

export const isTranslated = languageOptions.length > 1;
