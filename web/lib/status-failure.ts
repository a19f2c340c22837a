import { kept } from '#web/lib/kept.ts';

const MEMORY_MS = 30_000;
const lastMs = kept(() => sessionStorage, 'status-failure');

export const noteStatusFailure = () => lastMs.keep(String(Date.now()));

/** Whether the status check failed in this tab a moment ago: the person is told then, and not led round in circles. */
export const statusFailedLately = () => Date.now() - Number(lastMs.read() ?? -Infinity) < MEMORY_MS;
