import type { ApplicationId } from '#contract/applications/registration.ts';
import { metadataOf } from './clients.ts';
import { listMakers, findClientById, type ClientRow } from './data-clients.ts';
import { visiting } from './visit.ts';
import { SECOND_MS } from '#server/clock.ts';
import type { Deps } from '#server/deps.ts';
import { releaseLane } from '#server/jobs/data-claims.ts';
import { GiveUp, type JobHandlers } from '#server/jobs/jobs.ts';
import { TURNS_EACH, turnsOf } from '#server/jobs/rules.ts';

const PREFIX = 'sign-out ';
/** The lane of an application's notices. Triggers write the same. */
export const noticeLane = (id: ApplicationId) => `${PREFIX}${id}`;
export const applicationOf = (lane: string) => Number(lane.slice(PREFIX.length)) as ApplicationId;

type Notice = {
  readonly application: ApplicationId;
  readonly sid: string;
  readonly subject: string;
  /** The application's row, if it was removed before its notice was delivered. */
  readonly removed?: Omit<ClientRow, 'secrets'>;
};

type Fault = Error & { readonly response?: { readonly status: number }; readonly cause?: Error };
/** A retry helps after a 5xx or without an answer (Back-Channel Logout 1.0, 2.8), not for a refused private network. */
const isFinal = ({ response, cause }: Fault) =>
  response ? response.status < 500 : cause?.message.includes('special-use IP address') === true;

type LogoutClient = { backchannelLogout(subject: string, sid: string): Promise<void> };
type LogoutClients = { readonly Client: new (metadata: object) => LogoutClient };

/** Sign-outs of different sessions need no order, so a notice that fails holds back no other. */
export const signOutJobs: JobHandlers = {
  'sign-out': {
    slots: 64,
    limitMs: 5 * SECOND_MS,
    isHarmless: true,
    turns: { isOrdered: false, limitsOf },
    run: notify,
  },
};

/** The applications of one organization share its turns, and those that one person made share theirs. */
async function limitsOf(deps: Deps, lanes: readonly string[]) {
  const makers = await listMakers(deps.sql, lanes.map(applicationOf));
  const makerOf = new Map(makers.map(({ id, ...maker }) => [noticeLane(id), maker]));
  return new Map(
    lanes.map((lane) => {
      const maker = makerOf.get(lane);
      return [lane, { [lane]: TURNS_EACH, ...(maker ? turnsOf(maker) : { removed: TURNS_EACH }) }];
    }),
  );
}

async function notify(deps: Deps, { application, sid, subject, removed }: Notice, jobId: number) {
  const row = removed ? { ...removed, secrets: [] } : await findClientById(deps.sql, application);
  // The removal adds the row to the notice, so the next try finds it there.
  if (!row) throw new Error('the application was removed meanwhile');
  if (!row.sign_out_url) return;
  const { currentProvider } = await import('./provider.ts');
  const { Client } = (await currentProvider(deps)) as unknown as LogoutClients;
  // `Client.find` does not find a paused application.
  const client = new Client(metadataOf(row, deps.clock.now()));
  await visiting({ findVisitor: async () => null, mayReachPrivate: row.org_id === null }, () =>
    client.backchannelLogout(subject, sid).catch((fault: Fault) => {
      throw isFinal(fault) ? new GiveUp(fault.message) : fault;
    }),
  );
  await releaseLane(deps, noticeLane(application), jobId);
}
