import { type Boss, newEmail } from './people.ts';
import type { TestApp } from './start-app.ts';
import { untouched } from './untouched.ts';
import type { Answer } from './visitor.ts';

export type MemberRow = {
  id: number;
  user_id: number;
  email: string;
  status: number;
  invitation_expires?: string;
};
type Setting = { app: TestApp; boss: Boss; roles: Record<string, number> };

/** The calls about invitations, by default as the boss. `setting` is read at each call, because tests change it. */
export function invitationCalls(setting: () => Setting) {
  const orgId = () => setting().boss.orgId;
  return {
    invite: (more: object = {}, by = setting().boss) =>
      by.visitor.post('/api/orgusers', {
        org_id: orgId(),
        role_id: setting().roles['Admin'],
        first_name: 'Tom',
        email_id: newEmail('tom'),
        ...more,
      }),
    resend: (user_id: number, by = setting().boss) =>
      by.visitor.post('/api/orgusers/resend', { org_id: orgId(), user_id }),
    read: (digest: string) => setting().app.visitor().get(`/api/invitation?digest=${digest}`),
    lastActivity: () =>
      setting()
        .app.deps.sql.selectFrom('activity')
        .selectAll()
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst(),
    /** The code of a refusal; fails if the call changed something. */
    codeOf: async (call: () => Promise<Answer>) => (await untouched(setting().app, call)).code,
  };
}
