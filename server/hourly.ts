import type { Sweep } from '#server/jobs/jobs.ts';
import { sweepTokens } from '#server/accounts/tokens/data.ts';
import { sweepSessions } from '#server/sessions/data.ts';
import { renameReserved } from '#server/organizations/jobs.ts';
import { sweepUrlNames } from '#server/organizations/data.ts';
import { sweepDevices } from '#server/sign-in/devices/data.ts';
import { sweepImages } from '#server/drive/jobs.ts';
import { sweepExports } from '#server/data-export/jobs.ts';
import { eraseDueAccounts } from '#server/accounts/deletion/jobs.ts';
import { sweepNotifications } from '#server/activity/notifications/data.ts';
import { FORMER_SEAL } from '#server/db/former-keys.ts';
import { sealedColumns } from '#server/db/sealed.ts';
import { sweepRecords } from '#server/applications/data-records.ts';
import { SIGNING_KEY_SEAL, sweepSigningKeys } from '#server/applications/keys.ts';
import { sweepDeliveries } from '#server/webhooks/deliveries/data.ts';
import { sweepVisits as sweepCompanyVisits } from '#server/company-sign-in/visits/data.ts';
import { sweepLogouts } from '#server/company-sign-in/logout/data.ts';
import { CONNECTION_SEAL } from '#server/company-sign-in/connections/connections.ts';
import { tellOfEndingSecrets } from '#server/company-sign-in/connections/jobs.ts';
import { askForDomainChecks } from '#server/company-sign-in/domains/jobs.ts';
import { sweepJoinRequests } from '#server/company-sign-in/join-requests/actions.ts';
import { deletingExpired } from '#server/db/expired.ts';
import { resealing } from '#server/db/resealing.ts';
import { SEAL_PURPOSE } from '#server/webhooks/endpoints/webhooks.ts';
import { PASSWORD_SEAL } from './passwords.ts';
import { APP_PURPOSE } from '#server/sign-in/factors/actions.ts';
import { askForDailyAnchor } from '#server/activity/chain/jobs.ts';

const seals = {
  passwords: PASSWORD_SEAL,
  authenticator_apps: APP_PURPOSE,
  company_connections: CONNECTION_SEAL,
  webhooks: SEAL_PURPOSE,
  signing_keys: SIGNING_KEY_SEAL,
  former_keys: FORMER_SEAL,
};

/** The hourly sweep of each feature: deletes expired rows, erases due accounts, asks for the daily anchor. */
export const hourly: readonly Sweep[] = [
  ({ limiter }) => limiter.sweep(),
  ...deletingExpired,
  sweepTokens,
  sweepSessions,
  sweepUrlNames,
  renameReserved,
  sweepDevices,
  sweepImages,
  sweepExports,
  eraseDueAccounts,
  sweepNotifications,
  sweepRecords,
  sweepSigningKeys,
  sweepDeliveries,
  askForDomainChecks,
  tellOfEndingSecrets,
  sweepCompanyVisits,
  sweepLogouts,
  sweepJoinRequests,
  askForDailyAnchor,
  // Last, because they may take minutes after a rotation.
  ...sealedColumns.map((one) => resealing(one, seals[one.table])),
];
