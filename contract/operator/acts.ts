// The list of the operator's acts, from which commands, help, desk and log follow.
import * as z from 'zod/mini';
import { exactAddress } from '#contract/applications/registration.ts';
import { SECRET_OVERLAP_HOURS } from '#contract/limits.ts';
import {
  type Act,
  count,
  counted,
  field,
  flag,
  full,
  machine,
  moment,
  several,
  support,
  text,
} from './act.ts';
import { labelOf, settings } from './application-settings.ts';
import { peopleActs } from './people-acts.ts';
import { NOTIFICATION_TYPE } from '#contract/split-by-bytes/area-limits.ts';
import { time } from '#contract/time.ts';
import { WEBHOOK_EVENTS } from '#contract/webhooks/calls.ts';

const mailTypes = Object.keys(NOTIFICATION_TYPE).map((name) =>
  name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
);
const mailTypeNames = mailTypes.join(', ');
const event = z.literal(WEBHOOK_EVENTS, { error: `takes ${WEBHOOK_EVENTS.join(', ')}.` });
const job = z.string().check(z.regex(/^(all|\d{1,15})$/, { error: 'takes the id of a job, or all.' }));
const atOnce = { 'at-once': flag('the former one ends now, because it leaked') };

const secretLines = (secret: string | null) =>
  secret === null ? [] : [`secret     ${secret}`, 'This is the only time that the secret is shown.'];
const formerEnds = (at: Date) => `The former secret ends at ${at.toISOString()}.`;
const lostImages = z.int();
const settled = ({ lostImages: lost }: { readonly lostImages: number }) => [
  'Everybody is signed out; earlier links and codes, recovery codes too, serve no more; no browser is remembered.',
  'Mails that waited are dropped.',
  ...(lost > 0 ? [`${counted(lost, 'picture has', 'pictures have')} no file in it: left out.`] : []),
];

/**
 * Everything that an operator can do. From a row come the command with its help and answer, the call at the socket and
 * the row of the log. An act without a handler in `server/operator/acts/handlers.ts` does not compile.
 */
export const acts = {
  status: support('List what needs a hand, since when, and what helps; ends with 1 if anything does'),
  ...peopleActs,
  subscribers: machine('List the confirmed addresses of open accounts that want such mails', {
    takes: {
      type: field(
        `<${mailTypeNames}>`,
        z.literal(mailTypes, {
          error: ({ input }) => `No mails are called "${String(input)}", but ${mailTypeNames}.`,
        }),
      ),
    },
  }),
  log: full('List what operators did, the newest first', {
    options: {
      since: moment('<moment>  from it on, in UTC'),
      until: moment('<moment>  before it'),
      action: text('<command>  such as restrict, or "applications add"'),
      person: text('<person>'),
      organization: text('<organization>'),
      limit: count,
    },
  }),
  verify: machine('Recompute the activity log; names the first wrong row of each chain', {
    takes: { chain: text('[chain, such as org:3 or user:7]') },
  }),
  jobs: full('List jobs and mails that were given up, and those that fail and are tried again'),
  'mails test': full('Send a test mail, and tell what the mail server answers', {
    takes: {
      to: field('<address>', z.string().check(z.regex(/^[^\s@]+@[^\s@]+$/, { error: 'is no address.' }))),
    },
    row: 'operator.auditLog.change',
  }),
  'storage test': machine('Put, read and delete a small file where images are stored, and tell what fails'),
  retry: full('Have jobs that were given up tried again', {
    takes: { job: field('<job id, or all>', job) },
    output: { retried: z.array(z.object({ id: z.int(), kind: z.string() })) },
    done: ({ retried }) => retried.map(({ id, kind }) => `${id}  ${kind}: is tried again.`),
    row: 'operator.auditLog.change',
  }),
  'applications add': full('Register an application of the suite; shows its client ID and its secret', {
    takesTwo: 'first-party',
    options: { ...settings, kind: text('<web, single-page, native or server>; default: web') },
    output: { client_id: z.string(), client_secret: z.nullable(z.string()) },
    done: ({ client_id, client_secret: secret }) => [`client ID  ${client_id}`, ...secretLines(secret)],
    row: 'operator.suiteApplication.create',
  }),
  'applications list': full('List the applications of the suite and of organizations'),
  'applications show': full('Show everything about an application but its secret', { on: 'application' }),
  'applications edit': full(
    'Change an application of the suite; a list of addresses replaces the whole list',
    {
      on: 'application',
      takesTwo: 'first-party',
      options: settings,
      output: { fields: z.array(z.string()) },
      done: ({ fields }) => `Changed: ${fields.map(labelOf).join(', ')}.`,
      row: 'operator.suiteApplication.update',
    },
  ),
  'applications rotate-secret': full(
    `Make a new secret; the former one ends after ${SECRET_OVERLAP_HOURS} hours, or --at-once`,
    {
      on: 'application',
      takesTwo: 'first-party',
      options: atOnce,
      output: { client_secret: z.string(), former_secret_ends: time },
      done: ({ client_secret: secret, former_secret_ends: end }) => [...secretLines(secret), formerEnds(end)],
      row: 'operator.suiteApplication.change',
    },
  ),
  'applications pause': full('Pause an application: nobody can sign in to it, and its tokens end', {
    on: 'application',
    done: 'Paused: nobody can sign in to it, and its tokens have ended.',
    row: 'operator.suiteApplication.update',
  }),
  'applications resume': full('Let people sign in to a paused application again', {
    on: 'application',
    done: 'People can sign in to it again.',
    row: 'operator.suiteApplication.update',
  }),
  'applications remove': full('Remove an application for good; its tokens end at once', {
    on: 'application',
    done: 'Removed.',
    row: 'operator.suiteApplication.delete',
  }),
  'webhooks add': full('Announce events to a server of the suite; shows the secret that signs them', {
    takesTwo: 'always',
    takes: { url: field('<address>', exactAddress) },
    options: { event: several('<name>  an event to receive; may be repeated; default: all', event) },
    output: { url: z.string(), secret: z.string() },
    done: ({ secret }) => secretLines(secret),
    row: 'operator.webhook.create',
  }),
  'webhooks list': full('List the webhooks of the suite'),
  'webhooks test': full('Send a test event, and tell what the receiver answers', {
    on: 'webhook',
    row: 'operator.webhook.update',
  }),
  'webhooks rotate-secret': full(`Make a new secret; for ${SECRET_OVERLAP_HOURS} hours, both sign`, {
    on: 'webhook',
    output: { secret: z.string(), former_secret_ends: time },
    done: ({ secret, former_secret_ends: end }) => [...secretLines(secret), formerEnds(end)],
    row: 'operator.webhook.change',
  }),
  'webhooks pause': full('Hold back the events of a webhook', {
    on: 'webhook',
    done: 'Paused: its events wait.',
    row: 'operator.webhook.update',
  }),
  'webhooks resume': full('Deliver the events of a webhook again, also after it was switched off', {
    on: 'webhook',
    done: 'Its events are delivered again.',
    row: 'operator.webhook.update',
  }),
  'webhooks remove': full('Remove a webhook with the events that wait for it', {
    on: 'webhook',
    done: 'Removed.',
    row: 'operator.webhook.delete',
  }),
  'company list': machine('List the domains of organizations, their sign-in by a provider, and their rule'),
  'company release-domain': machine(
    'Take a domain from its organization, so that its owner can prove it elsewhere',
    {
      takes: { domain: text('<domain>') },
      output: { organization: z.string() },
      done: '{organization} no longer has it.',
      row: 'organization.companyDomain.delete',
    },
  ),
  'company lift-rule': machine('Let members of an organization sign in their own way again', {
    takes: { organization: text('<organization, by its id or its name in addresses>') },
    output: { organization: z.string() },
    done: 'Members of {organization} sign in their own way again.',
    row: 'organization.companyConnection.update',
  }),
  'keys list': full('List the published keys that sign tokens for applications'),
  'keys rotate': full(
    'Publish new keys; they sign after a day, and the old ones leave an hour later. After a leak: --at-once',
    {
      options: { 'at-once': flag('they sign now, and the old ones leave') },
      output: { kids: z.array(z.string()), signs_from: time, withdrawn: z.array(z.string()) },
      done: ({ kids, signs_from: from, withdrawn }) => [
        `${kids.join(' and ')} sign from ${from.toISOString()}.`,
        ...(withdrawn.length > 0 ? [`Withdrawn: ${withdrawn.join(', ')}.`] : []),
      ],
      row: 'operator.auditLog.change',
    },
  ),
  'brand check': machine('Check the folder of the brand, and write a page that shows it', {
    byCommand: true,
  }),
  'operators add': machine(
    'Let a person work at the desk, at another level, or at once with a way in of today; all operators get a mail',
    {
      on: 'person',
      takes: {
        level: field('<support|full>', z.literal(['support', 'full'], { error: 'takes support or full.' })),
      },
      output: { level: z.string() },
      done: 'Works at the desk now, level {level}.',
      row: 'operator.auditLog.change',
    },
  ),
  'operators list': full('List who works at the desk'),
  requests: support('List acts at the desk that wait for a second operator'),
  'operators remove': machine('Let a person no longer work at the desk', {
    on: 'person',
    done: 'No longer works at the desk.',
    row: 'operator.auditLog.change',
  }),
  backup: machine('Copy database, images and secret into one file', {
    takes: { file: text('<file>') },
    output: { file: z.string(), notes: z.array(z.string()) },
    done: ({ file: name, notes }) => [`Written to ${name}.`, ...notes],
    row: 'operator.auditLog.read',
    byCommand: true,
  }),
  copy: machine('Copy the running embedded database into a folder of DATA_DIR', {
    takes: { folder: field('<folder>', z.string().check(z.regex(/^backing-up-\w+$/))) },
    isStep: true,
  }),
  restore: machine('Bring a backup back, into an empty DATA_DIR or database', {
    takes: { file: text('<file>') },
    output: { file: z.string(), lostImages },
    done: ({ file: name, ...rest }) => [`Brought back from ${name}.`, ...settled(rest)],
    row: 'operator.auditLog.upload',
    byCommand: true,
  }),
  settle: machine(
    'Do what restore does at its end, after PostgreSQL itself was brought back to an earlier moment',
    {
      takes: { from: text('<what it was brought back from>') },
      output: { lostImages },
      done: settled,
      row: 'operator.auditLog.upload',
    },
  ),
};

export type ActName = keyof typeof acts;
export const isActName = (name: string): name is ActName => Object.hasOwn(acts, name);
export const actNamed = (name: ActName): Act => acts[name] as Act;
