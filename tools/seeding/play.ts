import { signedInBy } from '#server/access/rules.ts';
import { Refusal } from '#contract/errors.ts';
import { personName } from '#contract/profile/person-name.ts';
import type { Permission } from '#contract/roles/calls.ts';
import type { OrgId, RoleId, SessionId, UserId } from '#contract/wire.ts';
import { type SessionPort, signUp } from '#server/accounts/actions.ts';
import { verifyEmail } from '#server/accounts/confirmation/actions.ts';
import { findUserByEmail } from '#server/accounts/data.ts';
import { jobHandlers } from '#server/job-handlers.ts';
import type { Clock } from '#server/clock.ts';
import { transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { runDueJobs } from '#server/jobs/jobs.ts';
import type { Letter } from '#server/mail/transports.ts';
import { sha256 } from '#server/keys.ts';
import { inviteMember } from '#server/members/invitations/actions.ts';
import { answerInvitation, firstPasswordPort } from '#server/members/joining/actions.ts';
import { findCaller } from '#server/members/standing/data.ts';
import { createOrganization } from '#server/organizations/actions.ts';
import { createRole, updateRole } from '#server/roles/actions.ts';
import { confirmNewAddress } from '#server/profile/contact/actions.ts';
import { deleteSession, findCallers } from '#server/sessions/data.ts';
import { openDeviceSession } from '#server/sign-in/completion/actions.ts';
import { signIn } from '#server/sign-in/actions.ts';
import { createPassword } from '#server/sign-in/recovery/actions.ts';

/** The password of everyone in the story. It is on no list of common passwords. */
export const PASSWORD = 'sturdy arch 42';

/** A clock that only the story moves. */
export class StoryClock implements Clock {
  #now: number;
  constructor(start: Date) {
    this.#now = start.getTime();
  }
  now() {
    return new Date(this.#now);
  }
  to(moment: Date) {
    if (moment.getTime() < this.#now) throw new Error('the story only goes on');
    this.#now = moment.getTime();
  }
}

export type Person = {
  readonly email: string;
  readonly first: string;
  readonly last: string;
  readonly browser: string;
  readonly address: string;
  id: UserId;
  device?: string | undefined;
  session?: SessionId | undefined;
};

/** Throws on a refusal: the story broke a rule, or this installation's settings are too strict for it. */
export function unlessRefused<T>(result: T): Exclude<T, Refusal> {
  if (result instanceof Refusal) throw new Error(`The story is refused: ${result.name}`);
  return result as Exclude<T, Refusal>;
}

/** Uses one hash for everyone, because 40 hashes would take longer than the whole year. */
export async function withOnePassword(deps: Deps): Promise<Deps> {
  const record = unlessRefused(await deps.passwords.hash(PASSWORD, 'seed'));
  const passwords: Deps['passwords'] = {
    hash: async () => record,
    matches: async (password) => password === PASSWORD,
    isOutdated: () => false,
    waiting: () => 0,
  };
  return { ...deps, passwords };
}

/** The people's acts, each through the action of its page. `keep` receives mails that are still useful at the end. */
export function startPlay(deps: Deps, keep: (letter: Letter) => Promise<void>) {
  const letters = new Map<string, Letter>();
  const jobs = jobHandlers(deps, async (letter) => {
    letters.set(letter.to.address, letter);
    await keep(letter);
  });
  const clientOf = ({ address, browser }: Person) => ({ ipAddress: address, userAgent: browser });
  const browserOf = (person: Person) => ({ client: clientOf(person), device: person.device });
  const door: SessionPort = {
    open: (tx, userId, client, device) =>
      openDeviceSession(tx, deps, userId, { client, device, methods: ['pwd'] }),
  };
  const mailedDigest = async (to: string) => {
    await runDueJobs(deps, jobs);
    const digest = /digest=([\w-]+)/.exec(letters.get(to)?.text ?? '')?.[1];
    if (!digest) throw new Error(`no link was mailed to ${to}`);
    return digest;
  };
  const storeCookies = async (person: Person, { token, device }: { token: string; device: string }) => {
    person.device = device;
    const hash = sha256(token).toString('hex');
    person.session = (await findCallers(deps, [hash])).get(hash)?.sessionId;
    return person.session;
  };
  const learnId = async (person: Person) => {
    person.id = (await findUserByEmail(deps.sql, person.email))?.id ?? person.id;
  };
  const callerOf = ({ id: userId, session: sessionId, email }: Person) => {
    if (sessionId === undefined) throw new Error(`${email} is not signed in`);
    return { userId, sessionId };
  };
  const scopeOf = async ({ id }: Person, orgId: OrgId) => {
    const caller = await findCaller(deps.sql, orgId, id);
    if (!caller) throw new Error('no member');
    return { ...caller, orgId };
  };

  return {
    scopeOf,
    runJobs: () => runDueJobs(deps, jobs),
    async signUp(person: Person, timeZone: string) {
      const input = { email: person.email, password: PASSWORD, timeZone };
      const signedUp = unlessRefused(await signUp(deps, input, browserOf(person), door));
      await learnId(person);
      if (signedUp) await storeCookies(person, signedUp);
    },
    async confirm(person: Person) {
      const digest = await mailedDigest(person.email);
      const noSessions = { endAll: async () => undefined };
      const caller = { ...callerOf(person), ...signedInBy(null, deps.clock.now()) };
      unlessRefused(await verifyEmail(deps, { digest }, '', caller, noSessions, confirmNewAddress));
    },
    async found(person: Person, name: string, country: string): Promise<OrgId> {
      const { first: firstName, last: lastName } = person;
      const input = { firstName, lastName, country, name, employeeCount: 40 };
      return unlessRefused(await createOrganization(deps, callerOf(person), input, clientOf(person))).id;
    },
    async addRole(by: Person, orgId: OrgId, roleName: string, isAdmin: boolean, permission: Permission) {
      const scope = await scopeOf(by, orgId);
      const { id: roleId } = unlessRefused(await createRole(deps, scope, { orgId, roleName, isAdmin }));
      unlessRefused(await updateRole(deps, scope, { orgId, roleId, permission }));
      return roleId;
    },
    async invite(by: Person, orgId: OrgId, roleId: RoleId, person: Person, designation: string) {
      const inviter = {
        fullName: personName(by.first, by.last, null),
        confirmed: true,
        proven: 'account',
        entered: [],
      };
      const { email, first: firstName, last: lastName } = person;
      const input = { orgId, roleId, firstName, lastName, email, designation };
      unlessRefused(await inviteMember(deps, await scopeOf(by, orgId), inviter, input));
      await learnId(person);
      await runDueJobs(deps, jobs);
    },
    async join(person: Person, isNew: boolean, timeZone: string) {
      const digest = await mailedDigest(person.email);
      if (!isNew) {
        unlessRefused(
          await answerInvitation(
            deps,
            { ...callerOf(person), confirmed: true, proven: 'account', entered: [] },
            { digest, accept: true },
          ),
        );
        return;
      }
      const input = { digest, password: PASSWORD, timeZone };
      unlessRefused(await createPassword(deps, input, browserOf(person), firstPasswordPort(deps)));
    },
    /** Signs in, optionally after a wrong password. Returns the session. */
    async signIn(person: Person, { mistypes = false } = {}): Promise<SessionId | undefined> {
      const browser = browserOf(person);
      const input = { email: person.email, password: PASSWORD, timeZone: '' };
      if (mistypes) await signIn(deps, { ...input, password: 'sturdy arch' }, browser);
      const result = unlessRefused(await signIn(deps, input, browser));
      if (!('token' in result)) return undefined;
      return storeCookies(person, result);
    },
    /** Deletes a session without a log row, like an expired one. */
    endSession: (sessionId: SessionId) => transaction(deps.sql, (tx) => deleteSession(tx, sessionId)),
  };
}
export type Play = ReturnType<typeof startPlay>;
