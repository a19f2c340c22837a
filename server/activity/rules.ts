import { ABOUT_PEOPLE, ACTION, ACTIVITY_TYPE, MODULE } from '#contract/activity/calls.ts';
import type { Rank } from '#contract/members/authority.ts';

/** `{field: [old, new]}` of the fields that differ. */
export function changes<T extends object>(before: T, after: Partial<T>) {
  const result: { [K in keyof T]?: [unknown, unknown] } = {};
  for (const name of Object.keys(after) as (keyof T)[]) {
    const [oldValue, value] = [before[name], after[name]];
    if (value !== undefined && value !== oldValue) result[name] = [oldValue, value];
  }
  return result;
}

/** JSON with sorted keys, so that equal content is equal text, even after a store that changes the order. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  if (value instanceof Date) return JSON.stringify(value);
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  const sorted = entries.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${sorted.map(([key, inner]) => `${JSON.stringify(key)}:${canonicalJson(inner)}`).join(',')}}`;
}

export type ChainedRow = {
  readonly chain: string;
  readonly position: number;
  readonly orgId: number | null;
  readonly userId: number;
  readonly createdAt: Date;
  readonly module: number;
  readonly activityType: number;
  readonly action: number;
  readonly recordId: number | null;
  readonly informationMac: string;
  readonly keyId: string;
};

/** A Super Admin also sees those of other people's acts on the organization, except acts about the actor. */
export function seesOrigin(
  reader: { readonly userId: number; readonly rank?: Rank | undefined },
  row: { user_id: number; module: number; activity_type: number; record_id: number | null },
): boolean {
  if (row.user_id === reader.userId) return true;
  const ofThemselves = row.record_id === row.user_id && ABOUT_PEOPLE.includes(row.activity_type);
  return reader.rank === 'superAdmin' && row.module === MODULE.organization && !ofThemselves;
}

export const chainOf = (orgId: number | null, userId: number) =>
  orgId === null ? `user:${userId}` : `org:${orgId}`;

export const linkText = (row: ChainedRow, before: string): string =>
  canonicalJson({ ...row, createdAt: row.createdAt.toISOString(), before });

/** All kinds of rows that match a filter by the three codes. Undefined if the filter names no code. */
export function kindsOf(filter: {
  readonly module?: number | undefined;
  readonly activityType?: number | undefined;
  readonly action?: number | undefined;
}): [module: number, activityType: number, action: number][] | undefined {
  const choices = [
    [filter.module, MODULE],
    [filter.activityType, ACTIVITY_TYPE],
    [filter.action, ACTION],
  ] as const;
  if (choices.every(([code]) => code === undefined)) return undefined;
  const [modules, types, actions] = choices.map(([code, all]) =>
    code === undefined ? Object.values<number>(all) : [code],
  ) as [number[], number[], number[]];
  return modules.flatMap((module) =>
    types.flatMap((type) => actions.map((action) => [module, type, action] as [number, number, number])),
  );
}

/** Escapes control characters and direction marks as JSON does, so that they are visible. */
const visible = (text: string): string =>
  text.replace(
    /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** One field of a CSV file (RFC 4180), escaped so that no spreadsheet takes it for a formula. */
export function csvField(text: string): string {
  const start = /^[=+\-@\t\r\0＝＋－＠]/.test(text) ? "'" : '';
  return `"${start}${visible(text).replaceAll('"', '""')}"`;
}

export const csvLine = (fields: readonly string[], separator = ','): string =>
  `${fields.map(csvField).join(separator)}\r\n`;

/** Spreadsheets expect a semicolon where the comma is the decimal sign. */
export const csvSeparatorIn = (locale: string): ',' | ';' =>
  new Intl.NumberFormat(locale).format(0.5).includes(',') ? ';' : ',';

/** JSON with the same characters escaped. Parsing it returns the original value. */
export const visibleJson = (value: unknown): string =>
  JSON.stringify(value).replace(/[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, (character) =>
    visible(character),
  );
