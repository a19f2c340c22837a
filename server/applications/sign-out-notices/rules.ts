import type { ApplicationId } from '#contract/applications/registration.ts';

const PREFIX = 'sign-out ';
/** The lane of an application's notices. Triggers write the same. */
export const noticeLane = (id: ApplicationId) => `${PREFIX}${id}`;
export const applicationOf = (lane: string) => Number(lane.slice(PREFIX.length)) as ApplicationId;
