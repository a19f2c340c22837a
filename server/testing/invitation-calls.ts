import { type Boss, newEmail } from '#server/testing/people.ts';
import type { TestApp } from '#server/testing/start-app.ts';
import { untouched } from '#server/testing/untouched.ts';
import type { Answer } from '#server/testing/visitor.ts';

/** A member as the calls about invitations answer. */
export type Shown = {
  id: number;
  user_id: number;
  email: string;
  status: number;
  invitation_expires?: string;
};
type Here = { app: TestApp; boss: Boss; roles: Record<string, number> };

/** The calls about invitations as an admin makes them, in the organization that stands there when they are made. */
export function invitationCalls(here: () => Here) {
  const orgId = () => here().boss.orgId;
  return {
    invite: (more: object = {}, by = here().boss) =>
      by.visitor.post('/api/orgusers', {
        org_id: orgId(),
        role_id: here().roles['Admin'],
        first_name: 'Tom',
        email_id: newEmail('tom'),
        ...more,
      }),
    resend: (user_id: number, by = here().boss) =>
      by.visitor.post('/api/orgusers/resend', { org_id: orgId(), user_id }),
    read: (digest: string) => here().app.visitor().get(`/api/invitation?digest=${digest}`),
    lastActivity: () =>
      here()
        .app.deps.sql.selectFrom('activity')
        .selectAll()
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst(),
    /** The code of a refusal that has changed nothing. */
    codeOf: async (call: () => Promise<Answer>) => (await untouched(here().app, call)).code,
  };
}
