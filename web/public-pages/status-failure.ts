import { storedText } from '#web/lib/stored-text.ts';

const MEMORY_MS = 30_000;
const lastMs = storedText(() => sessionStorage, 'status-failure');

export const noteStatusFailure = () => lastMs.keep(String(Date.now()));

/** Whether it failed a moment ago. Sending the person on would then be a loop, so a message tells them. */
export const statusFailedLately = () => Date.now() - Number(lastMs.read() ?? -Infinity) < MEMORY_MS;
