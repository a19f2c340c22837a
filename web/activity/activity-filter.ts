import {
  ACTION,
  ACTIVITY_TYPE,
  type Action,
  type ActivityType,
  MODULE,
  type Module,
} from '#contract/activity.ts';
import type { UserId } from '#contract/wire.ts';
import { dayOf, daysLater, startOf } from './days.ts';

export const periods = ['today', 'week', 'month', 'custom'] as const;
export type Period = (typeof periods)[number];
/** Days before today that a period goes back. */
const daysBack = { today: 0, week: 6, month: 29 } as const;

/** What the log is narrowed to; days are the person's own. */
export type ActivityFilter = {
  readonly isMine: boolean;
  readonly module: Module | undefined;
  readonly type: ActivityType | undefined;
  readonly action: Action | undefined;
  readonly userId: UserId | undefined;
  readonly period: Period | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
};

/** The areas, and what rows are about, in the log of an organization; all others are of a person alone. */
const ofOrganizations = {
  modules: new Set<number>([MODULE.organization, MODULE.profile, MODULE.recentActivity]),
  types: new Set<number>([
    ACTIVITY_TYPE.profileInformation,
    ACTIVITY_TYPE.applicationInformation,
    ACTIVITY_TYPE.organizationInformation,
    ACTIVITY_TYPE.roleInformation,
    ACTIVITY_TYPE.invitedContact,
    ACTIVITY_TYPE.auditLog,
    ACTIVITY_TYPE.permission,
    ACTIVITY_TYPE.invitationAnswer,
  ]),
};

/** Whether a filter by one of these could find rows: of one's own all could, but nothing is recorded as a search. */
export const canFind = {
  module: (code: number, isOwn: boolean) => isOwn || ofOrganizations.modules.has(code),
  type: (code: number, isOwn: boolean) => isOwn || ofOrganizations.types.has(code),
  action: (code: number) => code !== ACTION.search,
};

/** The same filter of other people's rows, or of one's own, without what can't be found there. */
export const inScope = (filter: ActivityFilter, isMine: boolean): ActivityFilter => ({
  ...filter,
  isMine,
  userId: undefined,
  module: filter.module && canFind.module(filter.module, isMine) ? filter.module : undefined,
  type: filter.type && canFind.type(filter.type, isMine) ? filter.type : undefined,
});

type InAddress = Readonly<Record<string, string>>;

const codeIn = <T extends number>(codes: Readonly<Record<string, T>>, text: string | undefined) =>
  Object.values(codes).find((code) => String(code) === text);
const isDay = (text: string | undefined) =>
  text !== undefined &&
  /^(19[7-9]\d|[2-9]\d{3})-\d\d-\d\d$/.test(text) &&
  !Number.isNaN(Date.parse(text)) &&
  new Date(text).toISOString().startsWith(text);
const dayIn = (text: string | undefined) => (isDay(text) ? text : undefined);

/** What the address asks for; whatever makes no sense in it is left out. */
export function filterIn({ scope, module, type, action, person, time, from, to }: InAddress): ActivityFilter {
  const period = periods.find((one) => one === time);
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

/** The same view, of everything. */
export const cleared = ({ isMine }: Pick<ActivityFilter, 'isMine'>): ActivityFilter => ({
  ...filterIn({}),
  isMine,
});

/** Whether it leaves rows out, whosever they are. */
export const isNarrow = (filter: ActivityFilter) =>
  Object.keys(toAddress({ ...filter, isMine: false })).length > 0;

/** Whether two days are given the wrong way round. */
export const isTurned = ({ from, to }: Pick<ActivityFilter, 'from' | 'to'>) =>
  from !== undefined && to !== undefined && from > to;

/** The moments between which a filter looks, by the days of a zone; two days given the wrong way round are turned. */
export function rangeOf({ period, from, to }: ActivityFilter, zone: string | null, now: Date) {
  if (period === undefined) return {};
  if (period !== 'custom') return { from: startOf(daysLater(dayOf(zone)(now), -daysBack[period]), zone) };
  const [first, last] = isTurned({ from, to }) ? [to, from] : [from, to];
  return {
    ...(first && { from: startOf(first, zone) }),
    ...(last && { to: startOf(daysLater(last, 1), zone) }),
  };
}
