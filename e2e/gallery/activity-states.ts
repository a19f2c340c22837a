import { type Step, answer, atAs, popup, press, withoutAnswer } from './steps.ts';

const page = atAs('maya', '/northwind-traders/recentactivity');
const rows = '/api/auditlogs?*';
const EDITED = { role: ['Editor', 'Admin'], designation: ['', 'Clerk'] } as const;
const INTERNS = { role: 'Interns', name: ['Interns', null] } as const;
/** A week in the organization: acts of Maya, Tom and a deleted person. */
const acts = [
  ['2026-11-23T08:41:00.000Z', 900_001, 1, 7, 3, 12, { role: 'Sales', name: ['Field sales', 'Sales'] }],
  ['2026-11-23T08:03:00Z', 900_002, 1, 8, 3, 900_003, EDITED],
  ['2026-11-22T16:55:00.000Z', 900_002, 1, 5, 3, 1, { app_dark_icon: [null, 'icon'] }],
  ['2026-11-22T07:31:00.000Z', 900_003, 1, 15, 1, 900_003, { status: [1, 2], role: 'Editor' }],
  ['2026-11-14T15:20:00Z', 900_004, 1, 7, 4, 13, { ...INTERNS, moved: 2, moved_to: 'Editor' }],
] as const;
const names: Record<string, string> = {
  900_001: 'Maya Lindqvist',
  900_002: 'Tom Okafor',
  900_003: 'Aiko Mori',
  900_004: 'Deleted user',
};
const origin = {
  ip_address: '81.234.10.9',
  browser: 'Safari',
  system: 'macOS',
  location: 'Stockholm, Sweden',
};
const week = {
  audit: acts.map(([created_at, user_id, module, activity_type, action, record_id, information], at) => ({
    id: at + 1,
    date: created_at.slice(0, 10),
    time: created_at.slice(11),
    created_at,
    user_id,
    created_by: names[user_id],
    module,
    activity_type,
    action,
    record_id,
    information,
    ...(user_id === 900_002 && { origin }),
  })),
  user_names: names,
  role_info: { 12: 'Sales' },
  next: null,
};
const nothing = { audit: [], user_names: {}, role_info: {}, next: null };

const open: Step = [answer(rows, week), page, 'Tom Okafor'];

/** Every state of the activity log's page. */
export const activityStates: Record<string, Step> = {
  'recentactivity--open': open,
  'recentactivity--changes': [
    open,
    ({ page }) => page.getByRole('button', { name: 'Show details' }).nth(1).click(),
    'Designation',
  ],
  'recentactivity--filters': [
    open,
    press('Filter'),
    ({ page }) => page.getByLabel('Time', { exact: true }).selectOption('Choose days'),
    'First day',
  ],
  'recentactivity--export': [open, press('Export'), popup('menu')],
  ...withoutAnswer('recentactivity', rows, page),
  'recentactivity--nothing': [answer(rows, nothing), page, 'Nothing has happened yet'],
  'recentactivity--no-match': [
    answer(rows, nothing),
    atAs('maya', '/northwind-traders/recentactivity?action=5'),
    'Nothing matches',
  ],
};
