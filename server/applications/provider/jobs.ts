import type { ApplicationId } from '#contract/applications/registration.ts';
import { findClientById } from '#server/applications/clients/data.ts';
import { currentProvider } from '#server/applications/provider/actions.ts';
import { visiting } from '#server/applications/records/actions.ts';
import { GiveUp, type JobHandlers } from '#server/jobs/jobs.ts';

type Notice = { readonly application: ApplicationId; readonly sid: string; readonly subject: string };

/** A refusal by the application; a retry would get the same answer (OpenID Connect Back-Channel Logout 1.0, 2.8). */
const isRefusal = (error: unknown) => {
  const { status } = (error as { response?: { status: number } }).response ?? {};
  return status !== undefined && status >= 400 && status < 500;
};

export const signOutJobs: JobHandlers = {
  /** Tells an application that a session or a membership behind its tokens has ended. */
  'sign-out': async (deps, { application, sid, subject }: Notice) => {
    const row = await findClientById(deps.sql, application);
    if (!row?.sign_out_url) return;
    const provider = await currentProvider(deps);
    await visiting({ findVisitor: async () => null, mayReachPrivate: row.org_id === null }, async () => {
      const client = await provider.Client.find(row.client_id);
      const told = client as unknown as
        | { backchannelLogout(sub: string, sid: string): Promise<void> }
        | undefined;
      await told?.backchannelLogout(subject, sid).catch((error: unknown) => {
        throw isRefusal(error) ? new GiveUp((error as Error).message) : error;
      });
    });
  },
};
