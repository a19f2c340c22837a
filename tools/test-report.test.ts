import { expect, test } from 'vitest';
import { judged, playwrightTally, vitestTally } from './test-report.ts';

const vitest = (numPassedTests: number, numFailedTests: number, files: [string, ...string[]][]) => ({
  numPassedTests,
  numFailedTests,
  numPendingTests: 1,
  numTodoTests: 1,
  testResults: files.map(([status, ...tests]) => ({
    status,
    assertionResults: tests.map((status) => ({ status })),
  })),
});

test('a file that cannot be loaded counts as one failure', () => {
  const report = vitest(2, 1, [['passed', 'passed'], ['failed', 'passed', 'failed'], ['failed']]);
  expect(vitestTally(report)).toEqual({ passed: 2, failed: 2, skipped: 2 });
});

test('a flaky browser test and an error outside of tests have failed', () => {
  const report = { stats: { expected: 3, unexpected: 1, flaky: 1, skipped: 4 }, errors: ['no such file'] };
  expect(playwrightTally(report)).toEqual({ passed: 3, failed: 3, skipped: 4 });
});

test.for([
  { what: 'a good run', tally: { passed: 2, failed: 0, skipped: 0 }, exitCode: 0, failed: 0 },
  { what: 'failed tests', tally: { passed: 2, failed: 3, skipped: 0 }, exitCode: 1, failed: 3 },
  { what: 'a crash after good tests', tally: { passed: 2, failed: 0, skipped: 0 }, exitCode: 1, failed: 1 },
  { what: 'no report', tally: undefined, exitCode: 0, failed: 1 },
  { what: 'only skipped tests', tally: { passed: 0, failed: 0, skipped: 2 }, exitCode: 0, failed: 1 },
])('$what counts $failed failed', ({ tally, exitCode, failed }) => {
  expect(judged(tally, exitCode).failed).toBe(failed);
});
