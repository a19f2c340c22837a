import type { Sweep } from '#server/jobs/jobs.ts';
import { fillWords } from '#server/members/directory/data.ts';

const AT_ONCE = 500;

/**
 * Fills in the search words of members from before words existed. Not a job, because an older process beside
 * this one would take it and fail at it.
 */
export const fillMemberWords: Sweep = async ({ sql }) => {
  while (await fillWords(sql, AT_ONCE));
};
