import type { ColumnType, Generated } from 'kysely';
import type { SessionId, UserId } from '#contract/wire.ts';

export type OperatorTables = {
  operators: { user_id: UserId; level: 'support' | 'full'; named_at: Date };
  desk_sessions: {
    session_id: SessionId;
    operator_id: UserId;
    opened_at: Date;
    seen_at: Date;
    proven_at: Date;
  };
  desk_requests: {
    id: Generated<number>;
    act: string;
    input: ColumnType<Readonly<Record<string, unknown>>, string, never>;
    person_id: UserId | null;
    asked_by: UserId;
    asked_at: Date;
    due_at: Date | null;
  };
  processes: {
    name: string;
    release: string;
    brand: string;
    changed_at: Date;
    storage_problem: string | null;
    storage_failing_since: Date | null;
    expires_at: Date;
  };
};
