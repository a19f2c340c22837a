/** `{field: [old, new]}` of what differs; the same on both sides is left out. */
export function changes<T extends object>(before: T, after: Partial<T>): Record<string, [unknown, unknown]> {
  const result: Record<string, [unknown, unknown]> = {};
  for (const [name, value] of Object.entries(after)) {
    const old = (before as Record<string, unknown>)[name];
    if (value !== undefined && value !== old) result[name] = [old, value];
  }
  return result;
}

/** JSON with its keys in order, so the same content is the same text whoever wrote or stored it. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  if (value instanceof Date) return JSON.stringify(value);
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  const sorted = entries.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${sorted.map(([key, inner]) => `${JSON.stringify(key)}:${canonicalJson(inner)}`).join(',')}}`;
}

/** What a link covers of a row, besides the text, which it covers by its mac; older rows keep the link they got. */
type FirstLink = {
  readonly chain: string;
  readonly position: number;
  readonly userId: number;
  readonly createdAt: Date;
  readonly module: number;
  readonly activityType: number;
  readonly action: number;
  readonly recordId: number | null;
  readonly informationMac: string;
};
export type ChainedRow =
  | FirstLink
  | (FirstLink & { readonly version: 2; readonly orgId: number | null; readonly keyId: string });

/** Which chain a row belongs to: the organization's, or the person's own. */
export const chainOf = (orgId: number | null, userId: number) =>
  orgId === null ? `user:${userId}` : `org:${orgId}`;

/** The text whose mac links a row to the one before it. */
export const linkText = (row: ChainedRow, before: string): string =>
  canonicalJson({ ...row, createdAt: row.createdAt.toISOString(), before });
