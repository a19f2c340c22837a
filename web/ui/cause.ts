import { causeText } from '#contract/text/cause.ts';
import { uiText } from '#contract/text/ui.ts';

const isOffline = () => typeof navigator !== 'undefined' && !navigator.onLine;

/** Why something could not be loaded, and what to do: only without a connection is it the connection. */
export const whyNotLoaded = () => (isOffline() ? causeText.offline : causeText.ours);

/** The alert after something that brought no answer. */
export const whyNoAnswer = () => (isOffline() ? causeText.offline : uiText.wentWrong);
