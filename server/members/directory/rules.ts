import type { MemberSort } from '#contract/members/calls.ts';

export type Cursor = { readonly key: string; readonly id: number };

export const closeCursor = ({ key, id }: Cursor) => Buffer.from(`${id} ${key}`).toString('base64url');

/** Decodes a cursor. Undefined if it does not belong to this list. */
export function openCursor(text: string, sort: MemberSort | undefined): Cursor | undefined {
  const [, id, key] = /^([1-9]\d{0,14}) (\P{Cc}*)$/u.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  if (id === undefined || key === undefined) return undefined;
  return sort !== 'status' || /^[1-4]$/.test(key) ? { key, id: Number(id) } : undefined;
}
