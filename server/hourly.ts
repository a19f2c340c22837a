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
import { sweepRecords } from '#server/applications/data-records.ts';
import { sweepSigningKeys } from '#server/applications/keys.ts';
import { sweepDeliveries } from '#server/webhooks/deliveries/data.ts';
import { sweepVisits as sweepCompanyVisits } from '#server/company-sign-in/visits/data.ts';
import { sweepLogouts } from '#server/company-sign-in/logout/data.ts';
import { CONNECTION_SEAL } from '#server/company-sign-in/connections/connections.ts';
import { tellOfEndingSecrets } from '#server/company-sign-in/connections/jobs.ts';
import { askForDomainChecks } from '#server/company-sign-in/domains/jobs.ts';
import { sweepJoinRequests } from '#server/company-sign-in/join-requests/actions.ts';
import { deletingExpired } from '#server/db/expired.ts';
import { resealing } from '#server/db/resealing.ts';
import { PASSWORD_SEAL } from '#server/passwords.ts';
import { APP_PURPOSE } from '#server/sign-in/factors/actions.ts';
import { askForDailyAnchor } from '#server/activity/chain/jobs.ts';

const connections = { table: 'company_connections', purpose: CONNECTION_SEAL, owner: 'id' };

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
  resealing({ table: 'passwords', column: 'sealed_phc', purpose: PASSWORD_SEAL }),
  resealing({ table: 'authenticator_apps', column: 'secret', purpose: APP_PURPOSE }),
  resealing({ ...connections, column: 'sealed_secret' }),
  resealing({ ...connections, column: 'next_sealed_secret' }),
];
