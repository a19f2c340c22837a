import { PASSWORD } from '../fixtures.ts';
import {
  FAILED,
  type Step,
  answer,
  at,
  atAs,
  dialog,
  inDialog,
  lose,
  press,
  write,
  withoutAnswer,
} from './steps.ts';

/** An archive that is ready, as the API answers it. */
const ready = {
  requested_at: '2026-11-23T08:58:00Z',
  requested_by: null,
  is_failed: 0,
  expires_at: '2026-11-30T08:59:00Z',
  byte_count: 2_345_678,
  next_request_at: null,
};
const away: Step = ({ page }) => page.mouse.move(0, 0);

/** Every state of a card with an archive; `by` names the person who asked for it, if that may be somebody else. */
function archiveStates(
  name: string,
  page: Step,
  call: string,
  { by = null, making, done }: { by?: string | null; making: string; done: string },
): Record<string, Step> {
  const withArchive = (more: object, words: string): Step => [
    answer(call, { ...ready, requested_by: by, ...more }),
    page,
    away,
    words,
  ];
  const waiting = { expires_at: null };
  return {
    [`${name}--making`]: withArchive(waiting, making),
    [`${name}--slow`]: withArchive(
      { ...waiting, requested_at: '2026-11-23T08:40:00Z' },
      'takes longer than usual.',
    ),
    [`${name}--ready`]: withArchive({}, done),
    [`${name}--failed`]: withArchive({ ...waiting, is_failed: 1 }, 'We could not make the file.'),
    [`${name}--too-many`]: withArchive(
      { requested_by: null, next_request_at: '2026-11-24T08:58:00Z' },
      'That was the last of 3 files a day.',
    ),
    [`${name}--lost`]: [lose(call), page, away, FAILED],
  };
}

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

/** Every state of archives and of deleting an account. */
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
  ...withoutAnswer('delete-account', '/api/deleteaccount', page),
  'data-export--unconfirmed': [
    atAs('noor', '/account/myprofile'),
    'Please confirm your email address first.',
  ],
  ...archiveStates('data-export', atAs('maya', '/northwind-traders/myprofile'), '/api/dataexport', {
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
  ...archiveStates(
    'organization-data',
    atAs('maya', '/northwind-traders/organization/data'),
    '/api/dataexport?*',
    {
      by: 'Lena Brandt',
      making: 'We are making the file that Lena Brandt asked for',
      done: 'The file (2.3 MB)',
    },
  ),
};
