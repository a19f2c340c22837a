// Tells a year of an organization through the portal's own actions, so that the demo data could have happened.
import { Secret, TOTP } from 'otpauth';
import { MEMBER_STATUS, type MemberStatus } from '#contract/members/calls.ts';
import { type Right, rights, services } from '#contract/roles/permissions.ts';
import type { Permission } from '#contract/roles/calls.ts';
import type { OrgId, RoleId, SessionId, UserId } from '#contract/wire.ts';
import { scheduleDeletion } from '#server/accounts/deletion/actions.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#server/clock.ts';
import { transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { editMember } from '#server/members/actions.ts';
import { updateOrganization } from '#server/organizations/actions.ts';
import { setRule } from '#server/organizations/second-step/actions.ts';
import { runAct } from '#server/operator/acts/actions.ts';
import { updateProfile } from '#server/profile/actions.ts';
import { updateRole } from '#server/roles/actions.ts';
import { signOut } from '#server/sign-in/actions.ts';
import { signedInBy } from '#server/access/rules.ts';
import { beginAppSetup, finishAppSetup } from '#server/sign-in/authenticator/actions.ts';
import { setTwoStep } from '#server/sign-in/step-up/actions.ts';
import { addresses, browsers, colleagues } from './people-data.ts';
import { unlessRefused, type Person, type Play, type StoryClock } from './play.ts';

const DAYS = 365;
/** Invited in the last week, so that their invitations are still open. */
const INVITED_LATE = 3;

/** Reproducible random numbers: Mulberry32. */
export function chances(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    one: <T>(list: readonly T[]): T => list.at(Math.floor(next() * list.length)) as T,
    upTo: (most: number) => Math.floor(next() * (most + 1)),
    happens: (share: number) => next() < share,
  };
}

const allowing = (allowed: readonly Right[]): Permission => {
  const module = Object.fromEntries(rights.map((right) => [right, allowed.includes(right)]));
  const modules = Object.keys(services.sign.modules).map((id) => [id, module]);
  return { sign: Object.fromEntries(modules) };
};
const customRoles = [
  { name: 'Team Lead', isAdmin: true, may: ['create', 'read', 'update', 'delete'] },
  { name: 'Sales', isAdmin: false, may: ['create', 'read', 'update'] },
  { name: 'Support', isAdmin: false, may: ['read', 'update'] },
  { name: 'Accounting', isAdmin: false, may: ['read'] },
] as const;

const asciiOf = (name: string) =>
  name
    .toLowerCase()
    .replaceAll('ø', 'o')
    .replaceAll('ı', 'i')
    .normalize('NFKD')
    .replace(/[^a-z]/g, '');

/** The secret of Elsa's authenticator app: fixed, so that testers can read its codes from any app. */
export const APP_SECRET = 'PORTICOPORTICOPORTICOPORTICOPORT';

export type Story = {
  readonly orgId: OrgId;
  readonly people: ReadonlyMap<string, Person>;
  readonly recoveryCodes: readonly string[];
};

/** Day by day, up to the clock's `end`; `tell` receives the progress from 0 to 1. */
export async function playYear(
  deps: Deps,
  play: Play,
  clock: StoryClock,
  end: Date,
  tell: (share: number) => void,
): Promise<Story> {
  const chance = chances(20_260_302);
  const people = new Map<string, Person>();
  const members: Person[] = [];
  const sessions: { id: SessionId; person: Person; endsAt: number }[] = [];
  const roles = new Map<string, RoleId>();
  // Days start at 6:00 UTC, and the last whole day is yesterday.
  const today = new Date(end).setUTCHours(6, 0, 0, 0);
  const dayAt = (day: number, ms: number) => clock.to(new Date(today - (DAYS + 1 - day) * DAY_MS + ms));

  const person = (first: string, last: string, host = 'northwind.example'): Person => {
    const email = `${asciiOf(first)}.${asciiOf(last)}@${host}`;
    const one = { first, last, email, browser: chance.one(browsers), address: chance.one(addresses) };
    people.set(first, { ...one, id: 0 as UserId });
    return people.get(first) as Person;
  };
  const personNamed = (first: string) => {
    const one = people.get(first);
    if (!one) throw new Error(`nobody is called ${first}`);
    return one;
  };
  const edit = async (
    by: Person,
    of: Person,
    change: { status?: 2 | 3 | 4; role?: string; designation?: string },
  ) => {
    const { status, designation } = change;
    const at = colleagues.find(([first]) => first === of.first);
    const roleId = roles.get(change.role ?? at?.[3] ?? 'Sales') as RoleId;
    const input = {
      orgId,
      userId: of.id,
      firstName: of.first,
      lastName: of.last,
      roleId,
      ...(status && { status }),
      ...(designation && { designation }),
    };
    unlessRefused(await editMember(deps, await play.scopeOf(by, orgId), input));
  };

  // The first day: an organization, its roles and its icons.
  dayAt(0, 0);
  const maya = person('Maya', 'Lindqvist');
  await play.signUp(maya, 'Europe/Stockholm');
  await play.confirm(maya);
  const orgId = await play.found(maya, 'Northwind Traders', 'Sweden');
  const scope = await play.scopeOf(maya, orgId);
  roles.set('Super Admin', scope.roleId).set('Admin', (scope.roleId + 1) as RoleId);
  for (const { name, isAdmin, may } of customRoles)
    roles.set(name, await play.addRole(maya, orgId, name, isAdmin, allowing(may)));
  const description = 'Fine goods from the north, delivered since 1987.';
  const website = 'https://northwind.example';
  unlessRefused(await updateOrganization(deps, scope, { orgId, description, website }));
  members.push(maya);

  /** The events of single days, besides the daily ones. */
  const events = new Map<number, (() => Promise<unknown>)[]>();
  const on = (day: number, event: () => Promise<unknown>) =>
    events.set(day, [...(events.get(day) ?? []), event]);
  const existing = colleagues.slice(0, -INVITED_LATE - 1);
  for (const [at, [first, last, designation, role]] of colleagues.entries()) {
    const isLate = at >= colleagues.length - INVITED_LATE;
    const ranOut = at === existing.length;
    const day = isLate
      ? DAYS - 1 - (colleagues.length - at)
      : ranOut
        ? 330
        : 1 + Math.floor((at * 320) / existing.length);
    on(day, () => play.invite(maya, orgId, roles.get(role) as RoleId, person(first, last), designation));
    if (at < existing.length)
      on(day + 1, async () => {
        await play.join(
          personNamed(first),
          true,
          chance.one(['Europe/Stockholm', 'Europe/Oslo', 'Europe/Berlin']),
        );
        members.push(personNamed(first));
      });
  }
  const leaves = (day: number, first: string, change: () => Promise<unknown>) =>
    on(day, async () => {
      await change();
      members.splice(members.indexOf(personNamed(first)), 1);
    });
  const setStatus = (first: string, status: Exclude<MemberStatus, 1>) => () =>
    edit(maya, personNamed(first), { status });
  leaves(180, 'Anders', setStatus('Anders', MEMBER_STATUS.inactive));
  leaves(240, 'Ingrid', setStatus('Ingrid', MEMBER_STATUS.inactive));
  leaves(260, 'Hugo', setStatus('Hugo', MEMBER_STATUS.disabled));
  leaves(320, 'Pavel', setStatus('Pavel', MEMBER_STATUS.disabled));
  leaves(345, 'Chloé', () =>
    transaction(deps.sql, (tx) => scheduleDeletion(tx, deps, personNamed('Chloé').id, 'I am moving on')),
  );
  on(40, () => edit(maya, personNamed('Tom'), { role: 'Super Admin' }));
  on(150, () => edit(maya, personNamed('Noah'), { designation: 'Key Account Manager' }));
  on(200, async () => {
    const input = {
      orgId,
      roleId: roles.get('Support') as RoleId,
      permission: allowing(['create', 'read', 'update']),
    };
    unlessRefused(await updateRole(deps, await play.scopeOf(maya, orgId), input));
  });
  on(210, async () => {
    unlessRefused(
      await updateOrganization(deps, await play.scopeOf(maya, orgId), { orgId, employeeCount: 55 }),
    );
  });
  on(300, () => play.signUp(person('Kim', 'Larsen', 'mail.example'), 'Europe/Copenhagen'));

  // A second organization in mid-year, with some of the same people.
  let lakeside!: OrgId;
  let guest: RoleId;
  on(170, async () => {
    const elsa = person('Elsa', 'Bergström', 'lakeside.example');
    await play.signUp(elsa, 'Europe/Stockholm');
    await play.confirm(elsa);
    lakeside = await play.found(elsa, 'Lakeside Studio', 'Sweden');
    guest = await play.addRole(elsa, lakeside, 'Guest', false, allowing(['read']));
    await play.invite(elsa, lakeside, guest, person('Ture', 'Falk', 'lakeside.example'), 'Designer');
    members.push(elsa);
  });
  on(171, async () => {
    await play.join(personNamed('Ture'), true, 'Europe/Stockholm');
    members.push(personNamed('Ture'));
  });
  on(172, () => play.invite(personNamed('Elsa'), lakeside, guest, maya, 'Client'));
  on(173, async () => {
    // Depending on the weekday, her last session may have ended.
    const id = await play.signIn(maya);
    if (id !== undefined) sessions.push({ id, person: maya, endsAt: clock.now().getTime() + 168 * HOUR_MS });
    await play.join(maya, false, '');
  });
  on(DAYS - 2, () => play.invite(personNamed('Elsa'), lakeside, guest, personNamed('Tom'), 'Client'));

  for (let day = 1; day <= DAYS; day += 1) {
    let ms = 0;
    const soon = () => dayAt(day, (ms += MINUTE_MS * (1 + chance.upTo(20))));
    for (const event of events.get(day) ?? []) {
      soon();
      await event();
    }
    const isWeekend = [0, 6].includes(clock.now().getUTCDay());
    const visits = day === DAYS ? 6 : isWeekend ? 0 : 1 + chance.upTo(2);
    for (let visit = 0; visit < visits; visit += 1) {
      soon();
      const visitor = visit === 0 && (day === DAYS || chance.happens(0.2)) ? maya : chance.one(members);
      const id = await play.signIn(visitor, { mistypes: chance.happens(0.08) });
      if (id === undefined) continue;
      sessions.push({ id, person: visitor, endsAt: clock.now().getTime() + 168 * HOUR_MS });
      if (chance.happens(0.1)) await moveOn(visitor);
      if (chance.happens(0.3) && day < DAYS) await signOut(deps, visitor.id, sessions.pop()?.id ?? id);
    }
    while ((sessions[0]?.endsAt ?? Infinity) < clock.now().getTime())
      await play.endSession(sessions.shift()?.id as SessionId);
    // Sends the day's mails before any of them expires.
    await play.runJobs();
    if (day % 7 === 0) tell(day / DAYS);
  }
  clock.to(new Date(end.getTime() - 10 * MINUTE_MS));
  await runAct(deps, { name: 'seed', level: 'machine' }, 'restrict', { person: `${personNamed('Emil').id}` });
  await twoStepFor(personNamed('Aisha'));
  const recoveryCodes = await askForSecondSteps(personNamed('Elsa'), lakeside);
  await play.runJobs();
  return { orgId, people, recoveryCodes };

  async function moveOn({ id, first, last }: Person) {
    const phrase = chance.one(['Senior Manager', 'Project Lead', 'Consultant', 'Coordinator']);
    await updateProfile(deps, id, { firstName: first, lastName: last, designation: phrase }, null);
  }

  async function twoStepFor(visitor: Person) {
    const sessionId = (await play.signIn(visitor)) as SessionId;
    await setTwoStep(deps, { userId: visitor.id, sessionId, confirmed: true }, true);
  }

  /** Sets an app up, and asks all members for a second step. Returns the recovery codes. */
  async function askForSecondSteps(admin: Person, of: OrgId) {
    const sessionId = (await play.signIn(admin)) as SessionId;
    const caller = { userId: admin.id, sessionId, secondStep: null };
    const secret = Secret.fromBase32(APP_SECRET);
    const { setup } = unlessRefused(await beginAppSetup(deps, caller, secret));
    const code = new TOTP({ secret }).generate({ timestamp: clock.now().getTime() });
    const { recoveryCodes: codes } = unlessRefused(await finishAppSetup(deps, caller, { setup, code }));
    const scope = await play.scopeOf(admin, of);
    const rule = { orgId: of, rule: 'any' } as const;
    unlessRefused(await setRule(deps, scope, { ...caller, ...signedInBy('app', clock.now()) }, rule));
    return codes ?? [];
  }
}
