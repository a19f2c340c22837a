import { activityStates } from './activity-states.ts';
import { applicationStates } from './application-states.ts';
import { areaStates } from './area-states.ts';
import { authorizeStates } from './authorize-states.ts';
import { dataExportStates } from './data-export-states.ts';
import { deletionStates } from './deletion-states.ts';
import { deviceStates } from './device-states.ts';
import { invitationStates } from './invitation-states.ts';
import { memberStates } from './member-states.ts';
import { organizationStates } from './organization-states.ts';
import { profileStates } from './profile-states.ts';
import { publicStates } from './public-states.ts';
import { secondStepStates } from './second-step-states.ts';
import { secondStepRuleStates } from './second-step-rule-states.ts';
import { reachOf } from './steps.ts';
import { webhookStates } from './webhook-states.ts';

const steps = {
  ...publicStates,
  ...areaStates,
  ...applicationStates,
  ...authorizeStates,
  ...profileStates,
  ...secondStepStates,
  ...organizationStates,
  ...activityStates,
  ...deletionStates,
  ...dataExportStates,
  ...deviceStates,
  ...memberStates,
  ...invitationStates,
  ...secondStepRuleStates,
  ...webhookStates,
};
/** Every screen and state, by name. */
export const states = Object.fromEntries(Object.entries(steps).map(([name, step]) => [name, reachOf(step)]));

/** The fixed time of the pictures, so that dates do not change. */
export const NOW = new Date('2026-11-23T09:00:00Z');
