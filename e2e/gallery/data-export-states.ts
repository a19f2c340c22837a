import { FAILED, type Step, answer, atAs, lose } from './steps.ts';

/** An archive that is ready, as the API answers it. */
export const made = {
  requested_at: '2026-11-23T08:58:00Z',
  requested_by: null,
  is_failed: 0,
  expires_at: '2026-11-30T08:59:00Z',
  byte_count: 2_345_678,
  next_request_at: null,
};

/** A page that shows an archive and these words about it. */
export const withArchiveAt = (page: Step, call: string, archive: object, words: string): Step => [
  answer(call, { ...made, ...archive }),
  page,
  ({ page }) => page.mouse.move(0, 0),
  words,
];

const CALL = '/api/dataexport?*';
const page = atAs('maya', '/northwind-traders/organization');
const byLena = { ...made, requested_by: 'Lena Brandt' };
const withArchive = (archive: object, words: string) => withArchiveAt(page, CALL, archive, words);

/** Every state of the card with an organization's archive. */
export const dataExportStates: Record<string, Step> = {
  'organization-data--making': withArchive(
    { ...byLena, expires_at: null },
    'We are making the file that Lena Brandt asked for',
  ),
  'organization-data--slow': withArchive(
    { ...byLena, expires_at: null, requested_at: '2026-11-23T08:40:00Z' },
    'takes longer than usual.',
  ),
  'organization-data--ready': withArchive(byLena, 'The file (2.3 MB)'),
  'organization-data--failed': withArchive(
    { ...byLena, expires_at: null, is_failed: 1 },
    'We could not make the file.',
  ),
  'organization-data--too-many': withArchive(
    { ...made, next_request_at: '2026-11-24T08:58:00Z' },
    'That was the last of 3 files a day.',
  ),
  'organization-data--lost': [lose(CALL), page, ({ page }) => page.mouse.move(0, 0), FAILED],
};
