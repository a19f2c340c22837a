import type { ACTION, ACTIVITY_TYPE, MODULE } from '#contract/activity/calls.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import type { RefusalName } from '#contract/errors.ts';
import type { InputSchema } from '#contract/wire.ts';
import { company, type Company, type Worker } from './company.ts';
import type { TestApp } from './start-app.ts';
import type { Answer, Visitor } from './visitor.ts';

/**
 * The callers: a signed-out one, and people of two organizations. `unconfirmed` is a Super Admin without a confirmed
 * address.
 */
const people = ['unconfirmed', 'member', 'lead', 'admin', 'superAdmin', 'foreign'] as const;
export const actors = ['signedOut', ...people] as const;
export type Actor = (typeof actors)[number];

export type World = Company & {
  readonly boss: Worker;
  readonly visitors: Readonly<Record<Actor, Visitor>>;
};

export async function buildWorld(app: TestApp): Promise<World> {
  const org = await company(app);
  const otherOrg = await company(app);
  const boss = await org.join('superAdmin');
  const workers = {
    unconfirmed: await org.join('superAdmin', { confirmed: false }),
    member: await org.join('sales'),
    lead: await org.join('lead'),
    admin: await org.join('admin'),
    superAdmin: await org.join('superAdmin'),
    foreign: await otherOrg.join('superAdmin'),
  } satisfies Record<(typeof people)[number], Worker>;
  const visitors = Object.fromEntries(
    people.map((name) => [name, workers[name].visitor]),
  ) as World['visitors'];
  return { ...org, boss, visitors: { ...visitors, signedOut: app.visitor() } };
}

type Act = `${keyof typeof MODULE}.${keyof typeof ACTIVITY_TYPE}.${keyof typeof ACTION}`;
/** The rows that a successful call adds to the log, in order; or the reason why there are none. */
type Log = readonly Act[] | string;
type Input = object | ((world: World) => object | Promise<object>);
/** Prepares a successful call and returns it. A row has one if `input` lets nobody succeed, or changes nothing. */
type Success = (app: TestApp, world: World) => Promise<() => Promise<Answer>>;

export type Row = {
  /** The callers that are refused, and their refusals; all others succeed. */
  readonly refused: Partial<Record<Actor, RefusalName>>;
  readonly log?: Log;
  /** Valid input for an allowed caller, besides the organization. Objects it names are created each time. */
  readonly input: Input;
  readonly success?: Success | undefined;
  /** Whether a successful call writes. */
  readonly writes: boolean;
};
export type Change = Row & { readonly log: Log };

export const all = (name: RefusalName): Row['refused'] =>
  Object.fromEntries(actors.map((actor) => [actor, name]));
export const nobody: Row['refused'] = {};
export const signedOut = { signedOut: 'not_signed_in' } as const;
export const everybody = (name: RefusalName): Row['refused'] => ({ ...all(name), ...signedOut });
export const outside = { ...signedOut, foreign: 'org_not_found' } as const;
export const noAdmins = { ...outside, member: 'not_allowed' } as const;
export const ofSuperAdmins = { ...noAdmins, lead: 'super_admin_only', admin: 'super_admin_only' } as const;
export const unconfirmed = { unconfirmed: 'account_not_confirmed' } as const;
/** Of Super Admins with a proven address. */
export const ofProven = { ...ofSuperAdmins, ...unconfirmed } as const;

export const look = (refused: Row['refused'], input: Input = {}): Row => ({ refused, input, writes: false });
export const change = (refused: Row['refused'], log: Log, input: Input = {}, success?: Success): Change => ({
  refused,
  log,
  input,
  success,
  writes: true,
});
/** A change that has nothing to change with this input. */
export const idle = (...row: Parameters<typeof change>): Change => ({ ...change(...row), writes: false });

/** The input of a call, with the organization if the call takes one. */
export function inputOf({ input }: Endpoint, row: Row, world: World) {
  const org = (input as InputSchema).ours('org_id') === 'orgId' ? { org_id: world.orgId } : {};
  const more: object | Promise<object> = typeof row.input === 'function' ? row.input(world) : row.input;
  return more instanceof Promise ? more.then((made: object) => ({ ...org, ...made })) : { ...org, ...more };
}
