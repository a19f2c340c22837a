import type { MemberSort } from '#contract/members.ts';

/** The last row of a page: what it is sorted by, and its id, which breaks ties. */
export type Cursor = { readonly key: string; readonly id: number };

/** A cursor as it goes out, opaque to who keeps it. */
export const closeCursor = ({ key, id }: Cursor) => Buffer.from(`${id} ${key}`).toString('base64url');

/** A cursor that came back, or nothing where it is none of this list's. */
export function openCursor(text: string, sort: MemberSort | undefined): Cursor | undefined {
  const [, id, key] = /^([1-9]\d{0,14}) (\P{Cc}*)$/u.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  if (id === undefined || key === undefined) return undefined;
  return sort !== 'status' || /^[1-4]$/.test(key) ? { key, id: Number(id) } : undefined;
}
