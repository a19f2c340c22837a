import type { RoleId } from '#contract/wire.ts';
import { PASSWORD, type Person } from './people.ts';
import type { WireRequest } from './wire.ts';

export interface Standing {
  readonly roleId: RoleId;
  readonly status: 2 | 3 | 4;
}

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

/** The outcome as the client knows it: without an answer or after a 5xx the write may exist or not. */
export type Outcome = 'acknowledged' | 'refused' | 'unknown';
export type Entry<K extends Write['kind'] = Write['kind']> = Extract<Write, { kind: K }> & {
  readonly outcome: Outcome;
};

/** Letters only, because names allow no digits: a, b, …, z, ba, … */
const letters = (n: number): string =>
  (n >= 26 ? letters(Math.floor(n / 26)) : '') + String.fromCodePoint(97 + (n % 26));
let wordCount = 0;
/** A word that no other write contains. */
const newWord = () => letters((wordCount += 1));

export function newWrite(kind: 'name' | 'role' | 'invitation', by: Person, roleId = by.roleId): Write {
  const word = newWord();
  if (kind === 'invitation')
    return { kind, by, email: `guest.${word}.${process.pid}@northwind.example`, roleId };
  return { kind, by, name: kind === 'name' ? `Bell${word}` : `Role ${word}` };
}

/** A new standing of another member; the unique name identifies the change. */
export const newStanding = (by: Person, of: Person, standing: Standing): Write => ({
  kind: 'standing',
  by,
  of,
  name: `Bell${newWord()}`,
  standing,
});

/** Starts with the common password, so that the secrecy check finds it anywhere. */
export const newPassword = () => `${PASSWORD} ${newWord()}`;

export function callFor(write: Write): WireRequest {
  const { by } = write;
  const request = (method: string, path: string, body: object): WireRequest => ({
    method,
    path,
    body,
    cookie: by.cookie,
    from: by.from,
  });
  const org_id = by.orgId;
  if (write.kind === 'name')
    return request('PUT', '/api/user', { org_id, first_name: 'Ann', last_name: write.name });
  if (write.kind === 'role') return request('POST', '/api/role', { org_id, role_name: write.name });
  if (write.kind === 'removal')
    return request('DELETE', '/api/role', { org_id, role_id: write.roleId, new_role_id: by.roleId });
  if (write.kind === 'invitation')
    return request('POST', '/api/orgusers', {
      org_id,
      role_id: write.roleId,
      first_name: 'Guest',
      email_id: write.email,
    });
  if (write.kind === 'standing')
    return request('PUT', '/api/orgusers', {
      org_id,
      user_id: write.of.id,
      first_name: 'Ann',
      last_name: write.name,
      role_id: write.standing.roleId,
      status: write.standing.status,
    });
  if (write.kind === 'password')
    return request('PUT', '/api/changepassword', {
      current_password: write.old,
      new_password: write.password,
    });
  return request('DELETE', '/api/deleteaccount', { reason: 'A drill', password: write.password });
}
