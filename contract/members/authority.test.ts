import { describe, expect, test } from 'vitest';
import {
  type Act,
  type Actor,
  can,
  missingRights,
  type Power,
  type Rank,
  rankOf,
  whyNot,
} from './authority.ts';
import { MEMBER_STATUS, type MemberStatus } from './calls.ts';
import { everyRight } from '#contract/roles/permissions.ts';
import { ADMIN, SUPER_ADMIN } from '#contract/roles/calls.ts';

const few = new Set(['read']);
const every = new Set(everyRight);
const more = new Set(['read', 'create']);
const me = 7;

/**
 * The callers, in the order of the columns below. `onScreen` is an admin as the pages know them: without
 * rights.
 */
const callers = {
  member: { rank: 'member', rights: more },
  lead: { rank: 'admin', rights: few },
  admin: { rank: 'admin', rights: 'all' },
  onScreen: { rank: 'admin' },
  superAdmin: { rank: 'superAdmin', rights: 'all' },
} satisfies Record<string, Power>;
const names = Object.keys(callers) as (keyof typeof callers)[];

const signOf = { not_allowed: '-', super_admin_only: 'S' } as const;
/** One sign per caller: + allowed, - not allowed, S only a Super Admin. */
type Signs = string;
function signsOf(act: Act): Signs {
  const signs = names.map((name) => {
    const caller: Actor = { userId: me, ...callers[name] };
    const no = whyNot(caller, act);
    if (can(caller, act) !== (no === undefined)) throw new Error('the two questions disagree');
    return no ? signOf[no] : '+';
  });
  return signs.join(' ');
}

test.each([
  [{ name: SUPER_ADMIN, isAdmin: true }, 'superAdmin'],
  [{ name: ADMIN, isAdmin: true }, 'admin'],
  [{ name: 'Team Lead', isAdmin: true }, 'admin'],
  [{ name: 'Sales', isAdmin: false }, 'member'],
] as const)('%o ranks as %s', (role, rank) => expect(rankOf(role)).toBe(rank));

test.each(['manageApplications', 'manageWebhooks'] as const)('only Super Admins may %s', (to) =>
  expect(signsOf({ to })).toBe('- S S S +'),
);

test('only admins enter the admin area', () => expect(signsOf({ to: 'manage' })).toBe('- + + + +'));

describe('granting: a caller cannot give rights they lack', () => {
  test.each<[string, Power, Signs]>([
    ['nothing', { rank: 'member', rights: new Set() }, '- + + + +'],
    ['few rights', { rank: 'member', rights: few }, '- + + + +'],
    ['more rights', { rank: 'member', rights: more }, '- - + + +'],
    ['rights one can’t see', { rank: 'member' }, '- + + + +'],
    ['a lead', { rank: 'admin', rights: few }, '- + + + +'],
    ['a lead of more', { rank: 'admin', rights: more }, '- - + + +'],
    ['Admin', { rank: 'admin', rights: 'all' }, '- - + + +'],
    ['Super Admin', { rank: 'superAdmin', rights: 'all' }, '- - - - +'],
  ])('%s', (_, power, signs) => expect(signsOf({ to: 'grant', power })).toBe(signs));
});

test('an admin role with every offered right counts as one with all rights', () => {
  const lead: Actor = { userId: me, rank: 'admin', rights: every };
  const without: Actor = { ...lead, rights: new Set(everyRight.slice(1)) };
  const admin: Act = { to: 'grant', power: { rank: 'admin', rights: 'all' } };
  expect([can(lead, admin), can(without, admin)]).toEqual([true, false]);
  expect(missingRights(new Set(everyRight.slice(1)), 'all')).toEqual([everyRight[0]]);
  expect(can(lead, { to: 'grant', power: { rank: 'superAdmin', rights: 'all' } })).toBe(false);
});

describe('setting rights: a caller cannot give or take rights they lack', () => {
  test.each<[string, Power['rights'] & object, Signs]>([
    ['few rights', few, '- + + + +'],
    ['more rights', more, '- - + + +'],
  ])('%s', (_, changed, signs) => expect(signsOf({ to: 'setRights', changed })).toBe(signs));
});

const ranks: Rank[] = ['member', 'admin', 'superAdmin'];
const statuses = Object.entries(MEMBER_STATUS);
const target = (rank: Rank, status: MemberStatus, userId = 8) => ({ userId, rank, status });

describe.each(statuses)('%s members', (status, code) => {
  test.each<[Rank, Signs, Signs, Signs]>([
    // target's rank  names        role to few   role to Admin
    ['member', '- + + + +', '- + + + +', '- - + + +'],
    ['admin', '- + + + +', '- + + + +', '- - + + +'],
    ['superAdmin', '- - - - +', '- - - - +', '- - - - +'],
  ])('%s: edit, and assign another role', (rank, edit, toFew, toAdmin) => {
    const at = target(rank, code);
    expect(signsOf({ to: 'edit', target: at })).toBe(edit);
    expect(signsOf({ to: 'assign', target: at, power: { rank: 'member', rights: few } })).toBe(toFew);
    expect(signsOf({ to: 'assign', target: at, power: { rank: 'admin', rights: 'all' } })).toBe(toAdmin);
    const superAdmin = { rank: 'superAdmin', rights: 'all' } as const;
    expect(signsOf({ to: 'assign', target: at, power: superAdmin })).toBe('- - - - +');
  });

  test.each(ranks)('%s: only a Super Admin deletes', (rank) =>
    expect(signsOf({ to: 'remove', target: target(rank, code) })).toBe('- S S S +'),
  );

  const setStatus: Record<string, Record<Rank, Signs>> = {
    invited: { member: '- - - - -', admin: '- - - - -', superAdmin: '- - - - -' },
    active: { member: '- + + + +', admin: '- + + + +', superAdmin: '- - - - +' },
    inactive: { member: '- + + + +', admin: '- + + + +', superAdmin: '- - - - +' },
    disabled: { member: '- - - - +', admin: '- - - - +', superAdmin: '- - - - +' },
  };
  test.each(ranks)('%s: set another status', (rank) =>
    expect(signsOf({ to: 'setStatus', target: target(rank, code) })).toBe(setStatus[status]?.[rank]),
  );
});

describe('the caller’s own membership', () => {
  const self = (rank: Rank) => target(rank, MEMBER_STATUS.active, me);
  test.each<[Act['to'], Act, Signs]>([
    ['edit', { to: 'edit', target: self('admin') }, '- + + + +'],
    ['assign', { to: 'assign', target: self('admin'), power: { rank: 'member', rights: few } }, '- - - - -'],
    ['setStatus', { to: 'setStatus', target: self('admin') }, '- - - - -'],
    ['remove', { to: 'remove', target: self('admin') }, '- S S S -'],
  ])('%s', (_, act, signs) => expect(signsOf(act)).toBe(signs));
});

describe('changing a role', () => {
  test.each<[string, { isSystem: boolean; isOwn: boolean }, Signs]>([
    ['a custom one', { isSystem: false, isOwn: false }, '- + + + +'],
    ['a built-in one', { isSystem: true, isOwn: false }, '- - - - -'],
    ['one’s own', { isSystem: false, isOwn: true }, '- - - - -'],
    ['one’s own built-in one', { isSystem: true, isOwn: true }, '- - - - -'],
  ])('%s', (_, role, signs) => expect(signsOf({ to: 'changeRole', role })).toBe(signs));
});

describe('replacing a role', () => {
  const custom = (rank: Rank, rights: Power['rights'] & object) => ({ rank, rights, isSystem: false });
  const admin = { rank: 'admin', rights: 'all', isSystem: true } as const;
  const superAdmin = { rank: 'superAdmin', rights: 'all', isSystem: true } as const;
  const plain: Power = { rank: 'member', rights: few };
  const lead: Power = { rank: 'admin', rights: few };
  test.each<[string, Power, Power & { isSystem: boolean }, Signs]>([
    ['a plain one by one of few rights', plain, custom('member', few), '- + + + +'],
    ['a plain one by one of more rights', plain, custom('member', more), '- - + + +'],
    ['a plain one by a lead’s', plain, custom('admin', few), '- - - - +'],
    ['a plain one by Admin', plain, admin, '- - - - +'],
    ['a plain one by Super Admin', plain, superAdmin, '- - - - +'],
    ['a lead’s by a plain one', lead, custom('member', few), '- + + + +'],
    ['a lead’s by a lead’s', lead, custom('admin', few), '- + + + +'],
    ['a lead’s by one of more rights', lead, custom('admin', more), '- - + + +'],
    ['a lead’s by Admin', lead, admin, '- - - - +'],
  ])('%s', (_, old, by, signs) => expect(signsOf({ to: 'replaceRole', by, old })).toBe(signs));
});
