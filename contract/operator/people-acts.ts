import * as z from 'zod/mini';
import { count, counted, field, full, machine, moment, support, text } from './act.ts';
import { time, UNTIL_LIFTED } from '#contract/time.ts';

export const WAITING_MAILS = ['confirmation', 'reset', 'invitation', 'restore'] as const;
const sessions = (ended: number) => counted(ended, 'session');

export const peopleActs = {
  find: support('Show people: where they belong, and what holds them back', {
    takes: { words: text('<id, present or former address, or words of a name>') },
  }),
  activity: support('Show the devices of an account, and what was done with it: when, where and how', {
    on: 'person',
    options: { limit: count },
  }),
  person: support('Show one person: what their next sign-in does, organizations, devices and mails', {
    on: 'person',
  }),
  'end-sessions': support('Sign somebody out everywhere', {
    on: 'person',
    output: { ended: z.int() },
    done: ({ ended }) => `${sessions(ended)} ended.`,
    row: 'operator.signInDevice.delete',
  }),
  restrict: support(
    'Close an account and sign it out, for 24 hours or up to a moment (--until); replaces what closed it before',
    {
      on: 'person',
      options: { until: moment('<moment, or lifted>  when it ends, in UTC', { lifted: UNTIL_LIFTED }) },
      output: { until: time },
      done: 'Restricted until {until}.',
      row: 'operator.signIn.change',
    },
  ),
  lift: support('Lift what restricts an account, and end its waits after wrong passwords', {
    on: 'person',
    output: { lifted: time },
    done: 'Open again; it was restricted until {lifted}.',
    row: 'operator.signIn.change',
  }),
  resend: support('Mail somebody again what waits for them, with a fresh link', {
    on: 'person',
    takes: {
      mail: field(
        `<${WAITING_MAILS.join(', ')}>`,
        z.literal(WAITING_MAILS, { error: `takes ${WAITING_MAILS.join(', ')}.` }),
      ),
    },
    output: { mail: z.string() },
    done: 'The {mail} mail is on its way.',
    row: 'operator.auditLog.change',
  }),
  'reset-second-steps': support(
    'Remove passkeys, authenticator app and recovery codes, and turn two-step sign-in off; make sure who asks',
    {
      on: 'person',
      takesTwo: 'always',
      output: { passkeys: z.int(), hadApp: z.boolean(), ended: z.int() },
      done: ({ passkeys, hadApp, ended }) =>
        `${counted(passkeys, 'passkey')}${hadApp ? ' and the authenticator app' : ''} removed, ${sessions(ended)} ended.`,
      row: 'operator.twoStep.change',
    },
  ),
  'reset-password': support(
    'End the password and what else opened an account lately, and mail its owner the link to a new one',
    {
      on: 'person',
      output: { ended: z.int() },
      done: ({ ended }) => `The password is useless, ${sessions(ended)} ended, and the link is on its way.`,
      row: 'operator.password.change',
    },
  ),
  'restore-address': machine(
    'Give an account back an address that it had, and mail the link to a new password there; make sure who asks',
    {
      on: 'person',
      takes: { address: text('<address>') },
      output: { address: z.string(), ended: z.int() },
      done: ({ address, ended }) =>
        `It has ${address} again, ${sessions(ended)} ended, and the link to a new password is on its way there.`,
      row: 'operator.contactInformation.change',
    },
  ),
  'restore-account': full('Cancel the deletion of an account within its 60 days; make sure who asks', {
    on: 'person',
    output: { wasDueAt: time },
    done: 'Back again; it would have been erased at {wasDueAt}.',
    row: 'operator.deleteAccount.change',
  }),
  'make-super-admin': full('Make an active member Super Admin of an organization', {
    on: 'person',
    takesTwo: 'always',
    takes: { organization: text('<organization, by its id or its name in addresses>') },
    output: { organization: z.string(), was: z.string() },
    done: 'Super Admin of {organization}; was {was}.',
    row: 'organization.invitedContact.update',
  }),
};
