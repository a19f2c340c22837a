import type { OrgId, UserId } from '#contract/wire.ts';
import { type NewActivity, recordActivity } from '#server/activity/data.ts';
import { transaction } from '#server/db/connect.ts';
import type { TestApp } from '#server/testing/start-app.ts';

export type Entry = {
  readonly orgId?: number | null;
  readonly by: { readonly id: number };
  readonly module?: number;
  readonly type?: number;
  readonly action?: number;
  readonly recordId?: number;
  readonly information?: Record<string, unknown>;
};

/** Adds any row to the log, also one that no action writes. */
export const logged = (
  app: TestApp,
  { orgId = null, by, module = 2, type = 1, action = 3, ...more }: Entry,
) =>
  transaction(app.deps.sql, (tx) =>
    recordActivity(tx, app.deps, {
      orgId: orgId as OrgId | null,
      userId: by.id as UserId,
      module,
      type,
      action,
      ...more,
    } as NewActivity),
  );
