import {
  type Reach,
  type Step,
  answer,
  atAs,
  dialog,
  FAILED,
  hold,
  inDialog,
  popup,
  press,
  pressExactly,
  refuse,
  write,
  withoutAnswer,
} from './steps.ts';

const APPLICATIONS = '/northwind-traders/organization/applications';
const APPLICATION_CALLS = '/api/applications?*';

const application = (id: number, name: string, more: object = {}) => ({
  id,
  client_id: `app-${id}AbCdEfGhIjKl`,
  name,
  description: '',
  icon: null,
  kind: 'web',
  start_url: `https://${name.toLowerCase()}.northwind.example/`,
  redirect_urls: [`https://${name.toLowerCase()}.northwind.example/callback`],
  signed_out_urls: [],
  sign_out_url: '',
  is_for_everyone: 1,
  role_ids: [],
  has_secret: 1,
  former_secret_ends: null,
  is_paused: 0,
  created_time: '2026-11-02T09:00:00Z',
  last_used_time: '2026-11-20T14:30:00Z',
  ...more,
});
const SECRET = 'dGhpcyBpcyBhbiBleGFtcGxlIG9mIDQzIGxldHRlcnM';
const OWN = [
  application(1, 'Books', { description: 'The library of the head office', icon: '/icon-light.svg' }),
  application(2, 'Timesheets', { kind: 'single-page', has_secret: 0, last_used_time: null }),
  application(3, 'Warehouse', { is_paused: 1, start_url: '' }),
  application(4, 'Scanner', { kind: 'native', has_secret: 0 }),
];

const longNames = ['Donaudampfschifffahrtsgesellschaftskapitänsmützenverwaltung', 'إدارة المخازن والمشتريات'];

const listedOwn = (list: readonly object[]): Step => [
  answer(APPLICATION_CALLS, list),
  atAs('maya', APPLICATIONS),
];
/** Opens the page of one, and then a popup. */
const openedOwn = (id: number): Step => [
  answer(APPLICATION_CALLS, OWN),
  atAs('maya', `${APPLICATIONS}/${id}`),
];
const pressedOwn = (button: string, opens: string): Step => [
  openedOwn(1),
  pressExactly(button),
  dialog(opens),
];
const addingOwn: Step = [listedOwn(OWN), press('Add application'), dialog('Add application')];

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
      next_try_time: '2026-11-23T20:38:00Z',
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

const listed = (list: readonly object[]): Step => [answer(CALLS, list), atAs('maya', PATH)];
/** Opens the page of one, and then a popup. */
const opened = (id: number, deliveries = answer(DELIVERIES, LAST)): Step => [
  answer(CALLS, TROUBLED),
  deliveries,
  atAs('maya', `${PATH}/${id}`),
];
const pressed = (id: number, button: string, opens: string): Step => [
  opened(id),
  pressExactly(button),
  dialog(opens),
];
const delivered = (id: number, deliveries: Reach, text: string): Step => [opened(id, deliveries), text];
const adding: Step = [listed(TROUBLED), press('Add webhook'), dialog('Add webhook')];
const chosen: Step = [
  adding,
  ({ page }) => page.getByLabel('Events', { exact: true }).selectOption('Chosen events'),
];

/** Every state of an organization’s own applications and webhooks. */
export const ownStates: Record<string, Step> = {
  'own-applications--empty': [atAs('maya', APPLICATIONS), 'No applications yet'],
  'own-applications--list': listedOwn(OWN),
  'own-applications--many': listedOwn(
    Array.from({ length: 50 }, (_, at) => application(at + 1, longNames[at] ?? `Application ${at + 1}`)),
  ),
  ...withoutAnswer('own-applications', APPLICATION_CALLS, atAs('maya', APPLICATIONS)),
  'own-applications--menu': [listedOwn(OWN), press('More for Books'), popup('menu')],
  'own-applications--add': addingOwn,
  'own-applications--messages': [
    addingOwn,
    write('Redirect addresses', 'https://*.northwind.example/callback'),
    inDialog('Add application'),
    'Please leave out *.',
  ],
  'own-application--page': openedOwn(1),
  'own-application--no-secret': openedOwn(2),
  'own-application--paused': openedOwn(3),
  'own-application--gone': openedOwn(9),
  ...withoutAnswer('own-application', APPLICATION_CALLS, atAs('maya', `${APPLICATIONS}/1`)),
  'own-applications--edit': pressedOwn('Edit', 'Edit Books'),
  'own-applications--rotate': pressedOwn('Make new secret', 'Make a new secret for Books?'),
  'own-applications--secret': [
    answer('/api/applications/secret', { application: OWN[0], secret: SECRET }),
    pressedOwn('Make new secret', 'Make a new secret for Books?'),
    inDialog('Make new secret'),
    dialog('Secret of Books'),
  ],
  'own-applications--pause': pressedOwn('Pause', 'Pause Books?'),
  'own-applications--remove': pressedOwn('Remove application', 'Remove Books?'),
  'webhooks--empty': atAs('maya', PATH),
  'webhooks--list': listed(LIST),
  'webhooks--troubled': listed(TROUBLED),
  'webhooks--full': [
    listed(
      Array.from({ length: 10 }, (_, at) => webhook(at + 1, `https://hooks.northwind.example/${at + 1}`)),
    ),
    press('Add webhook'),
    'at most 10 webhooks',
  ],
  ...withoutAnswer('webhooks', CALLS, atAs('maya', PATH)),
  'webhook--page': opened(1),
  'webhook--failing': opened(4),
  'webhook--off': opened(5),
  'webhook--gone': opened(9),
  'webhooks--add': adding,
  'webhooks--events': chosen,
  'webhooks--messages': [
    chosen,
    write('Address', 'hooks.northwind.example'),
    inDialog('Add webhook'),
    'Please choose at least one event.',
  ],
  'webhooks--change': pressed(1, 'Edit', 'Edit webhook'),
  'webhooks--rotate': pressed(5, 'Make new secret', 'Make a new secret?'),
  'webhooks--secret': [
    answer('/api/webhooks/secret', {
      webhook: LIST[0],
      secret: 'whsec_dGhpcyBpcyBhbiBleGFtcGxlIG9mIDMyIGJ5dGVzISE=',
    }),
    pressed(1, 'Make new secret', 'Make a new secret?'),
    inDialog('Make new secret'),
    dialog('Secret of the webhook'),
  ],
  'webhooks--pause': pressed(1, 'Pause', 'Pause this webhook?'),
  'webhooks--resume': pressed(5, 'Resume', 'Resume this webhook?'),
  'webhooks--deliveries-empty': delivered(
    5,
    answer(DELIVERIES, { deliveries: [], next: null }),
    'Nothing delivered yet',
  ),
  'webhooks--deliveries-loading': delivered(1, hold(DELIVERIES), 'Loading deliveries'),
  'webhooks--deliveries-failed': delivered(1, refuse(DELIVERIES, 'internal_error'), FAILED),
  'webhooks--remove': pressed(5, 'Remove webhook', 'Remove this webhook?'),
};
