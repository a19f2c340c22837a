import { causeText } from '#words/cause.ts';
import { uiText } from '#words/ui.ts';

const isOffline = () => typeof navigator !== 'undefined' && !navigator.onLine;

/** Why loading failed, and what to do. It blames the connection only when the browser is offline. */
export const whyNotLoaded = () => (isOffline() ? causeText.offline : causeText.ours);

export const whyNoAnswer = () => (isOffline() ? causeText.offline : uiText.wentWrong);
