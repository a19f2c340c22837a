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

/** The fixed time of the pictures, so that dates do not change. */
export const NOW = new Date('2026-11-23T09:00:00Z');
