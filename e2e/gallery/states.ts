import type { PagePath } from '#contract/pages.ts';
import { activityStates } from './activity-states.ts';
import { companyStates } from './company-states.ts';
import { deletionStates } from './deletion-states.ts';
import { deviceStates } from './device-states.ts';
import { publicStates } from './public-states.ts';
import { ownPageStates } from './own-page-states.ts';
import { ownStates } from './own-states.ts';
import { requestStates } from './request-states.ts';
import { settingsStates } from './settings-states.ts';
import { stepStates } from './step-states.ts';
import { reachOf } from './steps.ts';

const steps = {
  ...stepStates,
  ...settingsStates,
  ...companyStates,
  ...requestStates,
  ...ownStates,
  ...ownPageStates,
  ...publicStates,
  ...activityStates,
  ...deletionStates,
  ...deviceStates,
};
/** Every screen and state, by name. */
export const states = Object.fromEntries(Object.entries(steps).map(([name, step]) => [name, reachOf(step)]));

/** A state that shows each page. A new page does not compile without. */
export const stateOf = {
  myapps: 'myapps--open',
  myprofile: 'myprofile--open',
  communications: 'communications--open',
  organization: 'organization--open',
  signindevices: 'devices--several',
  recentactivity: 'recentactivity--open',
  deleteaccount: 'delete-account--open',
  'organization/role': 'role--add',
  'organization/role/$id': 'role--rights',
  'organization/applications': 'own-applications--list',
  'organization/applications/$id': 'own-application--page',
  'organization/webhooks': 'webhooks--list',
  'organization/webhooks/$id': 'webhook--page',
  'organization/signin': 'company--connected',
  'organization/data': 'organization-data--ready',
} satisfies Record<PagePath, string>;

/** The fixed time of the pictures, so that dates do not change. */
export const NOW = new Date('2026-11-23T09:00:00Z');
