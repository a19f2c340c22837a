import type { RoleId } from '#contract/wire.ts';
import { PASSWORD, type Person } from './people.ts';
import type { Asked } from './wire.ts';

/** What a member is made by somebody else: their role and status in the organization both are in. */
export interface Standing {
  readonly roleId: RoleId;
  readonly status: 2 | 3 | 4;
}

/** What a client may ask to have written. */
export type Write =
  | { readonly kind: 'name'; readonly by: Person; readonly name: string }
  | { readonly kind: 'role'; readonly by: Person; readonly name: string }
  | { readonly kind: 'invitation'; readonly by: Person; readonly email: string; readonly roleId: RoleId }
  | { readonly kind: 'removal'; readonly by: Person; readonly name: string; readonly roleId: RoleId }
  | {
      readonly kind: 'standing';
      readonly by: Person;
      readonly of: Person;
      readonly name: string;
      readonly standing: Standing;
    }
  | { readonly kind: 'password'; readonly by: Person; readonly old: string; readonly password: string }
  | { readonly kind: 'deletion'; readonly by: Person; readonly password: string };

/** What became of it as far as the client knows: without an answer, or after a 5xx, it may be there or not. */
export type Outcome = 'acknowledged' | 'refused' | 'unknown';
export type Entry<K extends Write['kind'] = Write['kind']> = Extract<Write, { kind: K }> & {
  readonly outcome: Outcome;
};

/** Letters alone, as names are made of: a, b, …, z, ba, … */
const letters = (n: number): string =>
  (n >= 26 ? letters(Math.floor(n / 26)) : '') + String.fromCodePoint(97 + (n % 26));
let numbered = 0;
/** A word that is in nothing else that is written. */
const newWord = () => letters((numbered += 1));

/** A write of a kind with content that is nowhere else; a removal is the ledger's to find. */
export function newWrite(kind: 'name' | 'role' | 'invitation', by: Person, roleId = by.roleId): Write {
  const word = newWord();
  if (kind === 'invitation')
    return { kind, by, email: `guest.${word}.${process.pid}@northwind.example`, roleId };
  return { kind, by, name: kind === 'name' ? `Bell${word}` : `Role ${word}` };
}

/** What one member makes of another one; the name tells it from all others. */
export const newStanding = (by: Person, of: Person, standing: Standing): Write => ({
  kind: 'standing',
  by,
  of,
  name: `Bell${newWord()}`,
  standing,
});

/** Holds the one that all begin with, so that it is known wherever it may not stand. */
export const newPassword = () => `${PASSWORD} ${newWord()}`;

/** The call that asks for it. */
export function callFor(write: Write): Asked {
  const { by } = write;
  const asked = (method: string, path: string, body: object): Asked => ({
    method,
    path,
    body,
    cookie: by.cookie,
    from: by.from,
  });
  const org_id = by.orgId;
  if (write.kind === 'name')
    return asked('PUT', '/api/user', { org_id, first_name: 'Ann', last_name: write.name });
  if (write.kind === 'role') return asked('POST', '/api/role', { org_id, role_name: write.name });
  if (write.kind === 'removal')
    return asked('DELETE', '/api/role', { org_id, role_id: write.roleId, new_role_id: by.roleId });
  if (write.kind === 'invitation')
    return asked('POST', '/api/orgusers', {
      org_id,
      role_id: write.roleId,
      first_name: 'Guest',
      email_id: write.email,
    });
  if (write.kind === 'standing')
    return asked('PUT', '/api/orgusers', {
      org_id,
      user_id: write.of.id,
      first_name: 'Ann',
      last_name: write.name,
      role_id: write.standing.roleId,
      status: write.standing.status,
    });
  if (write.kind === 'password')
    return asked('PUT', '/api/changepassword', {
      current_password: write.old,
      new_password: write.password,
    });
  return asked('DELETE', '/api/deleteaccount', { reason: 'A drill', password: write.password });
}
