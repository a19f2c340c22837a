import type { OrgId, UserId } from '#contract/wire.ts';
import { insertActivity } from '#server/activity/data.ts';
import { transaction } from '#server/db/connect.ts';
import type { TestApp } from './start-app.ts';

export type Entry = {
  readonly orgId?: number | null;
  readonly by: { readonly id: number };
  readonly module?: number;
  readonly type?: number;
  readonly action?: number;
  readonly recordId?: number;
  readonly information?: Record<string, unknown>;
};

export const insertLogged = (app: TestApp, entry: Entry) => {
  const { orgId = null, by, module = 2, type = 1, action = 3, recordId = null, information = {} } = entry;
  const row = { orgId: orgId as OrgId | null, userId: by.id as UserId, recordId };
  return transaction(app.deps.sql, (tx) =>
    insertActivity(tx, app.deps, [module, type, action], { ...row, information }),
  );
};
