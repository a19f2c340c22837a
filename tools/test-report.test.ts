import { expect, test } from 'vitest';
import { countCrash, playwrightTally, vitestTally } from './test-report.ts';

const vitest = (numPassedTests: number, numFailedTests: number, files: [string, ...string[]][]) => ({
  numPassedTests,
  numFailedTests,
  numPendingTests: 1,
  numTodoTests: 1,
  testResults: files.map(([status, ...tests], index) => ({
    name: `${index}.test.ts`,
    status,
    message: tests.length > 0 ? '' : 'no such file\nimported by it',
    assertionResults: tests.map((status) => ({
      status,
      fullName: 'holds',
      failureMessages: status === 'failed' ? ['expected 1\nat line 2'] : [],
    })),
  })),
});

test('a file that cannot be loaded counts as one failure', () => {
  const report = vitest(2, 1, [['passed', 'passed'], ['failed', 'passed', 'failed'], ['failed']]);
  expect(vitestTally(report)).toEqual({
    passed: 2,
    failed: 2,
    skipped: 2,
    failures: ['1.test.ts › holds: expected 1', '2.test.ts: no such file'],
  });
});

test('a flaky browser test and an error outside of tests count as failed', () => {
  const spec = (title: string, messages: string[]) => ({
    file: 'a.e2e.ts',
    line: 3,
    title,
    ok: messages.length === 0,
    tests: [{ results: [{ errors: messages.map((message) => ({ message })) }] }],
  });
  const report = {
    stats: { expected: 3, unexpected: 1, flaky: 1, skipped: 4 },
    errors: [{ message: 'no such file' }],
    suites: [
      { specs: [spec('good', [])], suites: [{ specs: [spec('bad', ['\u001B[31mlate\n', 'waiting'])] }] },
    ],
  };
  expect(playwrightTally(report)).toEqual({
    passed: 3,
    failed: 3,
    skipped: 4,
    failures: ['a.e2e.ts:3 › bad: late; waiting', 'no such file'],
  });
});

test.for([
  { what: 'a good run', tally: { passed: 2, failed: 0, skipped: 0, failures: [] }, exitCode: 0, failed: 0 },
  { what: 'failed tests', tally: { passed: 2, failed: 3, skipped: 0, failures: [] }, exitCode: 1, failed: 3 },
  {
    what: 'a crash after good tests',
    tally: { passed: 2, failed: 0, skipped: 0, failures: [] },
    exitCode: 1,
    failed: 1,
  },
  { what: 'no report', tally: undefined, exitCode: 0, failed: 1 },
  {
    what: 'only skipped tests',
    tally: { passed: 0, failed: 0, skipped: 2, failures: [] },
    exitCode: 0,
    failed: 1,
  },
])('$what counts $failed failed', ({ tally, exitCode, failed }) => {
  expect(countCrash(tally, exitCode).failed).toBe(failed);
});
