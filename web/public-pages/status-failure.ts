import { storedText } from '#web/lib/stored-text.ts';

const MEMORY_MS = 30_000;
const lastMs = storedText(() => sessionStorage, 'status-failure');

export const noteStatusFailure = () => lastMs.keep(String(Date.now()));

/** If so, the person is told instead of sent in a loop. */
export const statusFailedLately = () => Date.now() - Number(lastMs.read() ?? -Infinity) < MEMORY_MS;
