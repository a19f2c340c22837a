import {
  ACTION,
  ACTIVITY_TYPE,
  type Action,
  type ActivityType,
  MODULE,
  type Module,
} from '#contract/activity/calls.ts';
import { kindsIn } from '#contract/activity/recorded.ts';
import type { UserId } from '#contract/wire.ts';
import { dayOf, daysLater, startOf } from './days.ts';

export const periods = ['today', 'week', 'month', 'custom'] as const;
const daysBack = { today: 0, week: 6, month: 29 } as const;

/** The filter of the log. Days are in the person's time zone. */
export type ActivityFilter = {
  readonly isMine: boolean;
  readonly module: Module | undefined;
  readonly type: ActivityType | undefined;
  readonly action: Action | undefined;
  readonly userId: UserId | undefined;
  readonly period: (typeof periods)[number] | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
};

const sharedKinds = kindsIn('organization');
/** A person's own rows come from the organization's log and from their account's. */
const ownKinds = [...sharedKinds, ...kindsIn('person')];
const isIn = (column: 0 | 1 | 2) => (code: number, isOwn: boolean) =>
  (isOwn ? ownKinds : sharedKinds).some((kind) => kind[column] === code);

export const canFind = { module: isIn(0), type: isIn(1), action: isIn(2) };

export const inScope = (filter: ActivityFilter, isMine: boolean): ActivityFilter => ({
  ...filter,
  isMine,
  userId: undefined,
  module: filter.module && canFind.module(filter.module, isMine) ? filter.module : undefined,
  type: filter.type && canFind.type(filter.type, isMine) ? filter.type : undefined,
  action: filter.action && canFind.action(filter.action, isMine) ? filter.action : undefined,
});

type InAddress = Readonly<Record<string, string>>;

const codeIn = <T extends number>(codes: Readonly<Record<string, T>>, text: string | undefined) =>
  Object.values(codes).find((code) => String(code) === text);
/** From 1970 to 9999, as the fields for days allow. */
const dayIn = (text = '') =>
  Date.parse(text) >= 0 && new Date(text).toISOString().slice(0, 10) === text ? text : undefined;

export function filterIn({ scope, module, type, action, person, time, from, to }: InAddress): ActivityFilter {
  const period = periods.find((name) => name === time);
  const isCustom = period === 'custom';
  return {
    isMine: scope === 'mine',
    module: codeIn(MODULE, module),
    type: codeIn(ACTIVITY_TYPE, type),
    action: codeIn(ACTION, action),
    userId: /^[1-9]\d{0,14}$/.test(person ?? '') ? (Number(person) as UserId) : undefined,
    period,
    from: isCustom ? dayIn(from) : undefined,
    to: isCustom ? dayIn(to) : undefined,
  };
}

export const toAddress = (filter: ActivityFilter): InAddress => {
  const { isMine, module, type, action, userId, period, from, to } = filter;
  return {
    ...(isMine && { scope: 'mine' }),
    ...(module && { module: String(module) }),
    ...(type && { type: String(type) }),
    ...(action && { action: String(action) }),
    ...(userId && { person: String(userId) }),
    ...(period && { time: period }),
    ...(from && { from }),
    ...(to && { to }),
  };
};

export const withoutFilters = ({ isMine }: Pick<ActivityFilter, 'isMine'>): ActivityFilter => ({
  ...filterIn({}),
  isMine,
});

export const isNarrow = (filter: ActivityFilter) =>
  Object.keys(toAddress({ ...filter, isMine: false })).length > 0;

export const isReversed = ({ from, to }: Pick<ActivityFilter, 'from' | 'to'>) =>
  from !== undefined && to !== undefined && from > to;

/** Start and end of the search, by days in `zone`. Two days in the wrong order are swapped. */
export function rangeOf({ period, from, to }: ActivityFilter, zone: string | null, now: Date) {
  if (period === undefined) return {};
  if (period !== 'custom') return { from: startOf(daysLater(dayOf(zone)(now), -daysBack[period]), zone) };
  const [first, last] = isReversed({ from, to }) ? [to, from] : [from, to];
  return {
    ...(first && { from: startOf(first, zone) }),
    ...(last && { to: startOf(daysLater(last, 1), zone) }),
  };
}
