import { FAILED, type Step, answer, atAs, lose } from './steps.ts';

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
export function archiveStates(
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

/** Every state of the card with an organization's archive. */
export const dataExportStates = archiveStates(
  'organization-data',
  atAs('maya', '/northwind-traders/organization'),
  '/api/dataexport?*',
  {
    by: 'Lena Brandt',
    making: 'We are making the file that Lena Brandt asked for',
    done: 'The file (2.3 MB)',
  },
);
