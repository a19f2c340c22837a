import type * as z from 'zod/mini';
import { OPERATOR_ID } from '#contract/activity/calls.ts';
import type { Details } from '#contract/activity/recorded.ts';
import { type RefusalName, refuse } from '#contract/errors.ts';
import { isUntilLifted, UNTIL_LIFTED } from '#contract/time.ts';
import type { OrgId, UserId } from '#contract/wire.ts';
import type { Shown, Work } from './work.ts';

/** A refusal for operators, who read English. */
export const no = (name: Exclude<RefusalName, 'too_many_requests'>, details: string) =>
  refuse(name, { details });

export const listed = <T>(
  items: readonly T[],
  lineOf: (item: T) => string,
  none = 'There is none.',
): Shown<readonly T[]> => ({ lines: items.length > 0 ? items.map(lineOf) : [none], data: items });

type Asked = Pick<Work, 'by' | 'reason'>;
/** A row of an organization's log, which names the operator and the reason. */
export const rowOf = ({ by, reason }: Asked, orgId: OrgId, recordId: number, information: Details) => ({
  orgId,
  userId: OPERATOR_ID as UserId,
  recordId,
  information: { ...information, operator: by, ...(reason !== undefined && { reason }) },
});

/** A stored value in words. */
export const textOf = (value: unknown): string => {
  if (Array.isArray(value)) return value.join(' ');
  if (value instanceof Date) return isUntilLifted(value) ? 'lifted' : value.toISOString();
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return value === UNTIL_LIFTED.toISOString() ? 'lifted' : value;
  return value === null || value === undefined ? '' : JSON.stringify(value);
};

/** Names the option and the wrong value, if it is a text. */
export function problemOf(
  { path: [name, index], message }: z.core.$ZodIssue,
  input: Readonly<Record<string, unknown>>,
  titleOf: (name: string) => string,
): string {
  const value = input[String(name)];
  const wrong = Array.isArray(value) && index !== undefined ? (value[Number(index)] as unknown) : value;
  const title = [titleOf(String(name)), ...(typeof wrong === 'string' && wrong !== '' ? [wrong] : [])];
  return `${title.join(' ').trim()}: ${message}`;
}
