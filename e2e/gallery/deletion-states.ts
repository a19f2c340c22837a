import { PASSWORD } from '../fixtures.ts';
import { made, withArchiveAt } from './data-export-states.ts';
import { FAILED, type Step, answer, at, atAs, dialog, hold, inDialog, lose, press, write } from './steps.ts';

const PAGE = '/northwind-traders/deleteaccount';
const page = atAs('maya', PAGE);
const FAREWELL = '/farewell?reason=deactivated&until=2027-01-20T09:00:00Z';

const organization = (Id: number, OrgName: string, effect: string) => ({
  Id,
  OrgName,
  OrgUrlName: `organization-${Id}`,
  effect,
});
const effects = (organizations: object[], more: object = {}) => ({
  deleted_on: '2027-01-20T09:00:00Z',
  password_needed: 1,
  images: 0,
  organizations,
  ...more,
});
const withEffects = (organizations: object[], more?: object): Step => [
  answer('/api/deleteaccount', effects(organizations, more)),
  page,
  /^On .* 2027/,
];
const withArchive = (archive: object, words: string) =>
  withArchiveAt(page, '/api/dataexport', archive, words);
const ask: Step = [page, 'Northwind Traders', press('Delete account'), dialog('Delete your account?')];

/** Every state of deleting an account. */
export const deletionStates: Record<string, Step> = {
  'delete-account--open': [page, 'Goes with you'],
  'delete-account--several': withEffects(
    [
      organization(1, 'Northwind Traders', 'leaves'),
      organization(2, 'Harbour Logistics', 'blocks'),
      organization(3, 'Lindqvist Consulting and Interim Management', 'goes'),
    ],
    { images: 2 },
  ),
  'delete-account--none': withEffects([]),
  'delete-account--many': withEffects(
    Array.from({ length: 12 }, (_, at) => organization(at + 1, `Department ${at + 1}`, 'blocks')),
  ),
  'delete-account--loading': [hold('/api/deleteaccount'), page],
  'delete-account--failed': [lose('/api/deleteaccount'), page, FAILED],
  'data-export--unconfirmed': [
    atAs('noor', '/account/deleteaccount'),
    'Please confirm your email address first.',
  ],
  'data-export--making': withArchive({ ...made, expires_at: null }, 'We are making your file.'),
  'data-export--slow': withArchive(
    { ...made, expires_at: null, requested_at: '2026-11-23T08:40:00Z' },
    'Your file takes longer than usual.',
  ),
  'data-export--ready': withArchive(made, 'Your file (2.3 MB) is ready'),
  'data-export--failed': withArchive(
    { ...made, expires_at: null, is_failed: 1 },
    'We could not make the file.',
  ),
  'data-export--lost': [lose('/api/dataexport'), page, FAILED],
  'data-export--too-many': withArchive(
    { ...made, next_request_at: '2026-11-24T08:58:00Z' },
    'That was the last of 3 files a day.',
  ),
  'delete-account--ask': ask,
  'delete-account--ask-no-password': [withEffects([], { password_needed: 0 }), press('Delete account')],
  'delete-account--messages': [ask, inDialog('Delete account'), 'This field is required.'],
  'delete-account--wrong': [
    ask,
    write('Why are you leaving?', 'I am moving on'),
    write('Password', `not ${PASSWORD}`),
    inDialog('Delete account'),
    'Invalid crendentials',
  ],
  'farewell--open': at(FAREWELL),
  'farewell--no-mail': at(`${FAREWELL}&mailed=0`),
  'farewell--nothing-known': at('/farewell'),
};
