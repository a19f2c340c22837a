import { PASSWORD } from '../fixtures.ts';
import { archiveStates } from './data-export-states.ts';
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
  ...archiveStates('data-export', page, '/api/dataexport', {
    making: 'We are making your file.',
    done: 'Your file (2.3 MB) is ready',
  }),
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
