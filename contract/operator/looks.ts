import * as z from 'zod/mini';
import type { Act } from './act.ts';
import type { ActName, acts } from './acts.ts';
import { timeText } from '#contract/time.ts';

const text = z.nullable(z.string());
/** Pages show it as the terminal does, so it stays a text. */
const moment = z.codec(timeText, z.custom<Date | string>(), {
  decode: (at) => at,
  encode: (at) => new Date(at).toISOString(),
});
const someTime = z.nullable(moment);
/** Fields that only this act knows. */
const fields = z.record(z.string(), z.unknown());

const application = z.object({
  client_id: z.string(),
  name: z.string(),
  description: z.string(),
  kind: z.string(),
  is_first_party: z.boolean(),
  start_url: text,
  redirect_urls: z.array(z.string()),
  signed_out_urls: z.array(z.string()),
  sign_out_url: text,
  signing_algorithm: z.string(),
  public_keys: z.unknown(),
  apis: z.array(z.string()),
  requires_par: z.boolean(),
  requires_dpop: z.boolean(),
  requires_pkce: z.boolean(),
  members_of: z.nullable(z.int()),
  paused_at: someTime,
  created_at: moment,
  last_used_at: someTime,
  /** The organization that has registered it; null for one of the suite. */
  organization: text,
});
const job = { id: z.int(), kind: z.string(), letter: text, attempts: z.int(), last_error: text };
const request = z.object({
  id: z.int(),
  act: z.string(),
  person: text,
  asked_by: z.string(),
  asked_by_id: z.int(),
  asked_at: moment,
  due_at: someTime,
  input: fields,
});

type Rows = typeof acts;
type DeskLook = {
  [N in ActName]: Rows[N] extends { readonly row: string } | { readonly level: 'machine' } ? never : N;
}[ActName];

/** A look shows data of nobody, of one person or of several. One person costs an operator's budget once, a list once for each person in it. */
type Shows = 'nobody' | 'person' | 'people';
const look = <const S extends Shows, T extends z.core.$ZodType>(shows: S, data: T) => ({ shows, data });
const site = <T extends z.core.$ZodType>(data: T) => look('nobody', data);
/** The desk masks the addresses of a list of people. */
export type Listed = { readonly id: number; readonly name: string; readonly email: string | null };
const listOf = <T extends z.core.$ZodType<Listed>>(each: T) => look('people', z.array(each));

/** The data of each look at the desk. The terminal may have more. */
export const looks = {
  status: site(
    z.array(
      z.object({ check: z.string(), isBad: z.boolean(), since: someTime, says: z.string(), act: text }),
    ),
  ),
  find: listOf(z.object({ id: z.int(), name: z.string(), email: text, organizations: z.array(z.string()) })),
  activity: look(
    'person',
    z.object({
      devices: z.array(z.object({ device: z.string(), since: moment, last_seen: moment })),
      acts: z.array(z.object({ at: z.string(), what: z.string(), changes: z.string(), origin: z.string() })),
    }),
  ),
  person: look(
    'person',
    z.nullable(
      z.object({
        user_id: z.int(),
        state: z.object({
          restriction: text,
          isByOperator: z.boolean(),
          deletion: text,
          waits: z.array(z.string()),
          requests: z.array(request),
        }),
        next: z.array(z.string()),
        steps: z.array(z.string()),
        mails: z.array(
          z.object({
            created_at: moment,
            done_at: someTime,
            failed_at: someTime,
            last_error: text,
            letter: text,
          }),
        ),
      }),
    ),
  ),
  log: site(
    z.array(
      z.object({
        at: moment,
        operator: z.string(),
        action: z.string(),
        person: z.nullable(z.object({ id: z.int(), name: text })),
        organization: text,
        record_id: z.nullable(z.int()),
        changes: fields,
      }),
    ),
  ),
  jobs: site(
    z.object({
      given_up: z.array(z.object({ ...job, created_at: moment, failed_at: someTime })),
      failing: z.array(z.object({ ...job, failing_since: someTime })),
      waiting: z.array(z.object({ kind: z.string(), due: z.int(), oldestDueSeconds: z.int() })),
    }),
  ),
  'applications list': site(z.array(application)),
  'applications show': site(
    z.extend(application, {
      secrets: z.array(z.object({ created_at: moment, ends_at: someTime })),
      /** The options that would give its settings. */
      settings: fields,
    }),
  ),
  'webhooks list': site(
    z.array(
      z.object({
        url: z.string(),
        description: z.string(),
        events: z.array(z.string()),
        createdTime: moment,
        isPaused: z.boolean(),
        switchedOffTime: someTime,
        failingSince: someTime,
        waiting: z.int(),
        reason: text,
      }),
    ),
  ),
  'keys list': site(
    z.array(z.object({ kid: z.string(), algorithm: z.string(), signs_from: moment, retires_at: someTime })),
  ),
  'operators list': site(
    z.array(
      z.object({
        id: z.int(),
        first_name: z.string(),
        last_name: z.string(),
        email: text,
        level: z.string(),
        named_at: moment,
      }),
    ),
  ),
  requests: site(z.array(request)),
} satisfies {
  readonly [N in DeskLook]: {
    readonly shows: Rows[N] extends { readonly on: 'person' } ? 'person' : 'nobody' | 'people';
    readonly data: z.core.$ZodType;
  };
};

type Frozen<T> = T extends Date ? T : T extends object ? { readonly [K in keyof T]: Frozen<T[K]> } : T;
export type LookData<N extends ActName> = N extends keyof typeof looks
  ? Frozen<z.output<(typeof looks)[N]['data']>>
  : unknown;

export const isLook = (name: ActName): name is DeskLook => Object.hasOwn(looks, name);

/** The subject of a change and its result, or only `request` if a second operator has to agree first. */
const changed = ({ output = {} }: Act) =>
  z.nullable(
    z.object({
      user_id: z.optional(z.int()),
      client_id: z.optional(z.string()),
      name: z.optional(z.string()),
      url: z.optional(z.string()),
      /** The tests of mails and webhooks. */
      status_code: z.optional(z.nullable(z.int())),
      error: z.optional(text),
      ...Object.fromEntries(Object.entries(output).map(([name, type]) => [name, z.optional(type)])),
      request: z.optional(z.int()),
    }),
  );
export const dataOf = (name: ActName, act: Act): z.core.$ZodType =>
  isLook(name) ? looks[name].data : changed(act);
