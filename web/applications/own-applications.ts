import { type OwnApplication, ownApplications } from '#contract/applications/own.ts';
import { ownApplicationsText } from '#words/own-applications.ts';
import type { Registry } from '#web/registry/registry.ts';

export const registry: Registry<OwnApplication> = {
  ...ownApplications,
  list: ownApplications.listOwn,
  add: ownApplications.register,
  remove: ownApplications.unregister,
  path: 'applications',
  act: 'manageApplications',
  text: ownApplicationsText,
  nameOf: ({ name }) => name,
  isOff: ({ isPaused }) => isPaused,
  stateOf: ({ isPaused }) =>
    isPaused
      ? { tone: 'warn', children: ownApplicationsText.paused }
      : { tone: 'good', children: ownApplicationsText.active },
};
