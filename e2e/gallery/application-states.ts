import {
  FAILED,
  type Step,
  answer,
  atAs,
  dialog,
  hold,
  inDialog,
  press,
  pressExactly,
  refuse,
  write,
} from './steps.ts';

const PATH = '/northwind-traders/organization/applications';
const CALLS = '/api/applications?*';

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
const LIST = [
  application(1, 'Books', { description: 'The library of the head office', icon: '/icon-light.svg' }),
  application(2, 'Timesheets', { kind: 'single-page', has_secret: 0, last_used_time: null }),
  application(3, 'Warehouse', { is_paused: 1, start_url: '' }),
  application(4, 'Scanner', { kind: 'native', has_secret: 0 }),
];

const longNames = ['Donaudampfschifffahrtsgesellschaftskapitänsmützenverwaltung', 'إدارة المخازن والمشتريات'];

const listed = (list: readonly object[]): Step => [answer(CALLS, list), atAs('maya', PATH)];
/** Presses a button of the list and waits for the popup. */
const pressed = (button: string, opens: string): Step => [listed(LIST), pressExactly(button), dialog(opens)];

/** Every state of an organization's own applications. */
export const applicationStates: Record<string, Step> = {
  'own-applications--empty': [atAs('maya', PATH), 'No applications yet'],
  'own-applications--list': listed(LIST),
  'own-applications--many': listed(
    Array.from({ length: 50 }, (_, at) => application(at + 1, longNames[at] ?? `Application ${at + 1}`)),
  ),
  'own-applications--loading': [hold(CALLS), atAs('maya', PATH)],
  'own-applications--failed': [refuse(CALLS, 'internal_error'), atAs('maya', PATH), FAILED],
  'own-applications--add': pressed('Add application', 'Add application'),
  'own-applications--messages': [
    pressed('Add application', 'Add application'),
    write('Redirect addresses', 'https://*.northwind.example/callback'),
    inDialog('Add application'),
    'Please leave out *.',
  ],
  'own-applications--edit': pressed('Edit Books', 'Edit Books'),
  'own-applications--rotate': pressed('Make a new secret for Books', 'Make a new secret for Books?'),
  'own-applications--secret': [
    answer('/api/applications/secret', { application: LIST[0], secret: SECRET }),
    pressed('Make a new secret for Books', 'Make a new secret for Books?'),
    press('Make new secret'),
    dialog('Secret of Books'),
  ],
  'own-applications--pause': pressed('Pause Books', 'Pause Books?'),
  'own-applications--remove': pressed('Remove Books', 'Remove Books?'),
};
