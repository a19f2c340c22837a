import type { dataExport } from '#contract/data-export.ts';
import { downloadExport, readExport, requestExport } from '#server/data-export/actions.ts';
import type { Deps } from '#server/deps.ts';
import type { Handlers } from '#server/http/serve.ts';

export const dataExportRoutes = (deps: Deps): Handlers<typeof dataExport> => ({
  read: ({ caller }) => readExport(deps, caller.userId),
  request: ({ caller }) => requestExport(deps, caller),
  download: ({ caller }) => downloadExport(deps, caller.userId),
});
