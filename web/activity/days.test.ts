import { describe, expect, test } from 'vitest';
import { startOf } from './days.ts';

const KIRITIMATI = 'Pacific/Kiritimati';
const LOS_ANGELES = 'America/Los_Angeles';

describe('a day begins', () => {
  test.each([
    ['2026-03-02', 'UTC', '2026-03-02T00:00:00.000Z'],
    ['2026-03-02', KIRITIMATI, '2026-03-01T10:00:00.000Z'],
    ['2026-03-02', LOS_ANGELES, '2026-03-02T08:00:00.000Z'],
    // The days on which clocks change, and the days after.
    ['2026-03-08', LOS_ANGELES, '2026-03-08T08:00:00.000Z'],
    ['2026-03-09', LOS_ANGELES, '2026-03-09T07:00:00.000Z'],
    ['2026-11-02', LOS_ANGELES, '2026-11-02T08:00:00.000Z'],
    // Clocks jump from midnight to one o'clock.
    ['2026-03-29', 'Asia/Beirut', '2026-03-28T22:00:00.000Z'],
    // Samoa skipped 30 December 2011, so that day begins when the 31st does.
    ['2011-12-30', 'Pacific/Apia', '2011-12-30T10:00:00.000Z'],
    ['2011-12-31', 'Pacific/Apia', '2011-12-30T10:00:00.000Z'],
  ])('%s in %s at %s', (day, zone, moment) => expect(startOf(day, zone).toISOString()).toBe(moment));
});
