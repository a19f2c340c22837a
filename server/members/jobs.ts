import type { JobHandlers } from '#server/jobs/jobs.ts';
import { endQuietTime, type News } from '#server/members/actions.ts';

export const memberJobs: JobHandlers = {
  'member-news': (deps, news: News, jobId) => endQuietTime(deps, news, jobId),
};
