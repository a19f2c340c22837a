import type { RefusalName } from '#contract/errors.ts';
import { company, type Company, type Worker } from './company.ts';
import type { TestApp } from './start-app.ts';
import type { Visitor } from './visitor.ts';

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

export type Row = {
  /** Valid input for an allowed caller; objects it names are created each time. */
  readonly input: (world: World) => object | Promise<object>;
  /** The callers that are refused, and their refusals; all others succeed. */
  readonly refused: Partial<Record<Actor, RefusalName>>;
  /** A successful call writes nothing, although its method is not GET. */
  readonly writesNothing?: true;
  /** A successful call writes, although its method is GET. */
  readonly writes?: true;
};

export const all = (name: RefusalName): Row['refused'] =>
  Object.fromEntries(actors.map((actor) => [actor, name]));
export const nobody: Row['refused'] = {};
export const signedOut = { signedOut: 'not_signed_in' } as const;
export const outside = { ...signedOut, foreign: 'org_not_found' } as const;
export const noAdmins = { ...outside, member: 'not_allowed' } as const;
export const ofSuperAdmins = { ...noAdmins, lead: 'super_admin_only', admin: 'super_admin_only' } as const;
export const unconfirmed = { unconfirmed: 'account_not_confirmed' } as const;

export const row = (refused: Row['refused'], input: Row['input'] = () => ({})): Row => ({ refused, input });
export const reading = (refused: Row['refused'], input?: Row['input']): Row => ({
  ...row(refused, input),
  writesNothing: true,
});
export const inside = ({ orgId }: World) => ({ org_id: orgId });

type Input = (world: World) => object | Promise<object>;
/** A call that names the organization beside its other input. */
export const inOrg = (refused: Row['refused'], more: Input = () => ({})): Row =>
  row(refused, async (world) => ({ ...inside(world), ...(await more(world)) }));
/** The same of a Super Admin with a proven address. */
export const ofProven = (more?: Input): Row => inOrg({ ...ofSuperAdmins, ...unconfirmed }, more);
