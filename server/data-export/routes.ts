import type { dataExport } from '#contract/data-export/calls.ts';
import { downloadExport, readExport, requestExport } from './actions.ts';
import type { Deps } from '#server/deps.ts';
import type { Handlers } from '#server/http/serve.ts';

export const dataExportRoutes = (deps: Deps): Handlers<typeof dataExport> => ({
  read: ({ caller, scope }) => readExport(deps, caller, scope),
  request: ({ caller, scope }) => requestExport(deps, { caller, orgId: scope?.orgId ?? null }),
  download: ({ caller, scope }) => downloadExport(deps, { caller, orgId: scope?.orgId ?? null }),
});
