import type { Page } from '@playwright/test';
import { expect } from '../fixtures.ts';
import { answer, atAs, hold, press, type Reach, refuse, see, write } from './steps.ts';

const PATH = '/northwind-traders/organization/webhooks';
const CALLS = '/api/webhooks?*';
const DELIVERIES = '/api/webhooks/deliveries?*';

const webhook = (id: number, url: string, more: object = {}) => ({
  id,
  url,
  description: '',
  events: [],
  is_paused: 0,
  switched_off_time: null,
  failing_since: null,
  former_secret_ends: null,
  created_time: '2026-11-02T09:00:00Z',
  ...more,
});
const FIRST = 'https://payroll.northwind.example/webhooks';
const OFF = 'https://old-intranet.northwind.example/integrations/portico/receive?tenant=northwind-traders';
const LIST = [
  webhook(1, FIRST, { description: 'Payroll of the head office', events: ['member.joined', 'member.ended'] }),
  webhook(2, 'https://doors.northwind.example/', { former_secret_ends: '2026-11-24T09:00:00Z' }),
  webhook(3, 'https://phones.northwind.example/hook', { is_paused: 1 }),
];
const TROUBLED = [
  ...LIST,
  webhook(4, 'https://wiki.northwind.example/hook', { failing_since: '2026-11-22T19:20:00Z' }),
  webhook(5, OFF, {
    description: 'Intranet, kept until its successor is ready',
    failing_since: '2026-11-17T08:00:00Z',
    switched_off_time: '2026-11-20T08:00:00Z',
  }),
];

const delivery = (id: number, event: string, more: object = {}) => ({
  id: `msg_00000000-0000-0000-0000-${String(id).padStart(12, '0')}`,
  event,
  status: 'delivered',
  created_time: '2026-11-22T19:20:00Z',
  tries: 1,
  tried_time: '2026-11-22T19:20:01Z',
  next_try_time: null,
  status_code: 200,
  duration_ms: 84,
  response: '',
  error: null,
  ...more,
});
const NEW = { status: 'waiting', tries: 0, tried_time: null, status_code: null, duration_ms: null };
const LAST = {
  deliveries: [
    delivery(4, 'test', { ...NEW, response: null, next_try_time: '2026-11-22T19:30:00Z' }),
    delivery(3, 'member.joined', {
      status: 'waiting',
      tries: 7,
      next_try_time: '2026-11-22T20:20:00Z',
      status_code: 500,
      duration_ms: 2310,
      response: '<h1>Internal Server Error</h1>\n<p>The table “people” is locked.</p>',
      error: 'answered with 500',
    }),
    delivery(2, 'member.ended', {
      status: 'failed',
      tries: 81,
      status_code: null,
      duration_ms: 10_000,
      error: 'could not be reached: no answer within 10 seconds',
    }),
    delivery(1, 'member.joined', { response: 'ok' }),
  ],
  next: delivery(1, '').id,
};

const listed =
  (list: readonly object[]): Reach =>
  async (stage) => {
    await answer(stage.page, CALLS, list);
    await atAs('maya', PATH)(stage);
  };
/** Presses a button of the list and waits for the popup. */
const pressed =
  (button: string, opens: string): Reach =>
  async (stage) => {
    await listed(TROUBLED)(stage);
    await stage.page.getByRole('button', { name: button, exact: true }).click();
    const role = opens.endsWith('?') ? 'alertdialog' : 'dialog';
    await expect(stage.page.getByRole(role, { name: opens })).toBeVisible();
  };
const delivered =
  (url: string, arrange: (page: Page) => Promise<unknown>, text: string): Reach =>
  async (stage) => {
    await arrange(stage.page);
    await pressed(`Show deliveries to ${url}`, 'Deliveries')(stage);
    await see(stage.page, text);
  };
const chosen: Reach = async (stage) => {
  await pressed('Add webhook', 'Add webhook')(stage);
  await stage.page.getByLabel('Events', { exact: true }).selectOption('Chosen events');
};

/** Every state of an organization's webhooks. */
export const webhookStates: Record<string, Reach> = {
  'webhooks--empty': atAs('maya', PATH),
  'webhooks--list': listed(LIST),
  'webhooks--troubled': listed(TROUBLED),
  'webhooks--full': async (stage) => {
    await listed(
      Array.from({ length: 10 }, (_, at) => webhook(at + 1, `https://hooks.northwind.example/${at + 1}`)),
    )(stage);
    await press(stage.page, 'Add webhook');
    await see(stage.page, 'at most 10 webhooks');
  },
  'webhooks--loading': async (stage) => {
    await hold(stage.page, CALLS);
    await atAs('maya', PATH)(stage);
  },
  'webhooks--failed': async (stage) => {
    await refuse(stage.page, CALLS, 'internal_error');
    await atAs('maya', PATH)(stage);
    await see(stage.page, 'This could not be loaded');
  },
  'webhooks--add': pressed('Add webhook', 'Add webhook'),
  'webhooks--events': chosen,
  'webhooks--messages': async (stage) => {
    await chosen(stage);
    await write(stage.page, 'Address', 'hooks.northwind.example');
    await stage.page.getByRole('dialog').getByRole('button', { name: 'Add webhook' }).click();
    await see(stage.page, 'Please choose at least one event.');
  },
  'webhooks--change': pressed(`Change ${FIRST}`, 'Change webhook'),
  'webhooks--rotate': pressed(`Make a new secret for ${OFF}`, 'Make a new secret?'),
  'webhooks--secret': async (stage) => {
    const secret = 'whsec_dGhpcyBpcyBhbiBleGFtcGxlIG9mIDMyIGJ5dGVzISE=';
    await answer(stage.page, '/api/webhooks/secret', { webhook: LIST[0], secret });
    await pressed(`Make a new secret for ${FIRST}`, 'Make a new secret?')(stage);
    await press(stage.page, 'Make new secret');
    await expect(stage.page.getByRole('dialog', { name: 'Secret of the webhook' })).toBeVisible();
  },
  'webhooks--pause': pressed(`Pause ${FIRST}`, 'Pause this webhook?'),
  'webhooks--resume': pressed(`Resume ${OFF}`, 'Resume this webhook?'),
  'webhooks--deliveries': delivered(FIRST, (page) => answer(page, DELIVERIES, LAST), 'Show older'),
  'webhooks--deliveries-empty': delivered(
    OFF,
    (page) => answer(page, DELIVERIES, { deliveries: [], next: null }),
    'Nothing delivered yet',
  ),
  'webhooks--deliveries-loading': delivered(FIRST, (page) => hold(page, DELIVERIES), 'Loading deliveries'),
  'webhooks--deliveries-failed': delivered(
    FIRST,
    (page) => refuse(page, DELIVERIES, 'internal_error'),
    'This could not be loaded',
  ),
  'webhooks--remove': pressed(`Remove ${OFF}`, 'Remove this webhook?'),
};
