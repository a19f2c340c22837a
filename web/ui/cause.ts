import { causeText } from '#contract/text/cause.ts';
import { uiText } from '#contract/text/ui.ts';

const isOffline = () => typeof navigator !== 'undefined' && !navigator.onLine;

/** Why loading failed, and what to do. It blames the connection only when the browser is offline. */
export const whyNotLoaded = () => (isOffline() ? causeText.offline : causeText.ours);

export const whyNoAnswer = () => (isOffline() ? causeText.offline : uiText.wentWrong);
