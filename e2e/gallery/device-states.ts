import { type Step, answer, atAs, dialog, press, refuse, withoutAnswer } from './steps.ts';

const HOME = '/northwind-traders';
const DEVICES = `${HOME}/signindevices`;
const COMMUNICATIONS = `${HOME}/communications`;

const device = (id: number, more: object) => ({
  id,
  ip_address: '81.234.10.7',
  browser_name: 'Chrome',
  OS_name: 'macOS',
  device_name: 'Desktop',
  location: 'Stockholm, Sweden',
  recent_activity: '2026-11-12T09:14:00Z',
  created_time: '2026-11-02T07:30:00Z',
  CurrentSession: 0,
  ...more,
});
const devices = [
  device(1, { CurrentSession: 1 }),
  device(2, { browser_name: 'Safari', OS_name: 'iOS', device_name: 'iPhone', ip_address: '81.234.10.9' }),
  device(3, {
    browser_name: 'Firefox',
    OS_name: 'Windows',
    location: 'Unknown',
    ip_address: '2001:db8:85a3:8d3:1319:8a2e:370:7348',
  }),
  device(4, { browser_name: 'Unknown', OS_name: 'Unknown', device_name: 'Unknown', location: 'Sweden' }),
];
const several: Step = [answer('/api/usersession', devices), atAs('maya', DEVICES)];

const notification = (id: number, kind: string, text: string, more: object = {}) => ({
  id,
  kind,
  text,
  created_at: '2026-11-12T09:14:00Z',
  read: 1,
  ...more,
});
/** Unread, from the day of the gallery's `NOW`. */
const now = { created_at: '2026-11-23T08:14:00Z', read: 0 };
const openPanel: Step = [atAs('maya', `${HOME}/myapps`), press(/^Notifications/)];
const panel = (notifications: object[], unread = 0, next: number | null = null): Step => [
  answer('/api/notifications*', { notifications, unread, next }),
  openPanel,
  dialog('Notifications'),
];
const news = [
  notification(9, 'invitation', 'Lena Brandt invited you to join Harbour Logistics as Sales.', now),
  notification(
    8,
    'new_device',
    'New sign-in to your account with Firefox on Windows, from Berlin, Germany.',
    { ...now, link: DEVICES },
  ),
  notification(7, 'role_changed', 'Your role in Northwind Traders is now Super Admin.', {
    link: `${HOME}/myprofile`,
  }),
  notification(6, 'invitation_answered', 'Tom Berg accepted your invitation to Northwind Traders.', {
    link: `${HOME}/organization`,
  }),
  notification(5, 'deletion_scheduled', 'You asked us to delete your account, and restored it since.'),
  notification(
    4,
    'address_to_confirm',
    'Please confirm that maya@northwind.example is your address. We emailed you a link.',
  ),
];

/** Every state of signed-in devices, mail choices and the notification panel. */
export const deviceStates: Record<string, Step> = {
  'devices--one': [answer('/api/usersession', devices.slice(0, 1)), atAs('maya', DEVICES)],
  'devices--several': several,
  'devices--remove': [several, press(/^Delete Safari/), 'Delete this device?'],
  'devices--others': [several, press('Sign out all others'), 'Sign out all other devices?'],
  ...withoutAnswer('devices', '/api/usersession', atAs('maya', DEVICES)),
  'communications--open': [atAs('maya', COMMUNICATIONS), 'Product updates'],
  ...withoutAnswer('communications', '/api/emailnotify', atAs('maya', COMMUNICATIONS)),
  'communications--not-saved': [
    atAs('maya', COMMUNICATIONS),
    refuse('/api/emailnotify', 'internal_error'),
    ({ page }) => page.getByLabel('Product updates').click(),
    'Oops!',
  ],
  'notifications--open': panel(news, 2, 4),
  'notifications--empty': panel([]),
  ...withoutAnswer('notifications', '/api/notifications*', [openPanel, dialog('Notifications')]),
};
