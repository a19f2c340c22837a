import { stripVTControlCharacters } from 'node:util';

// Converts the JSON reports of both test runners into one kind of tally.
export interface Tally {
  passed: number;
  failed: number;
  skipped: number;
  /** One line per failure: the file, the test, and the beginning of the message. */
  failures: string[];
}

interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
  }[];
}

interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  errors: { message?: string }[];
  suites: PlaywrightSuite[];
}

interface PlaywrightSuite {
  suites?: PlaywrightSuite[];
  specs: {
    file: string;
    line: number;
    title: string;
    ok: boolean;
    tests: { results: { errors: { message?: string }[] }[] }[];
  }[];
}

/** The first lines of all messages, joined. */
const beginnings = (messages: (string | undefined)[]) =>
  messages.map((message) => stripVTControlCharacters(message ?? '').split('\n')[0]).join('; ');

/** Counts tests, and one failure for each file that failed outside its tests (an import, a hook). */
export function vitestTally(report: VitestReport): Tally {
  const brokenFiles = report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.every((test) => test.status !== 'failed'),
  );
  const failures = report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'failed')
      .map((test) => `${name} › ${test.fullName}: ${beginnings(test.failureMessages)}`),
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + brokenFiles.length,
    skipped: report.numPendingTests + report.numTodoTests,
    failures: [...failures, ...brokenFiles.map(({ name, message }) => `${name}: ${beginnings([message])}`)],
  };
}

/** Counts tests, and one failure for each error outside of them; a flaky test counts as failed. */
export function playwrightTally({ stats, errors, suites }: PlaywrightReport): Tally {
  const failedSpecs = suites.flatMap(specsOf).filter(({ ok }) => !ok);
  const failures = failedSpecs.map(({ file, line, title, tests }) => {
    const messages = tests.flatMap(({ results }) => results.flatMap((result) => result.errors));
    return `${file}:${line} › ${title}: ${beginnings(messages.map(({ message }) => message))}`;
  });
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky + errors.length,
    skipped: stats.skipped,
    failures: [...failures, ...errors.map(({ message }) => beginnings([message]))],
  };
}

const specsOf = ({ specs, suites = [] }: PlaywrightSuite): PlaywrightSuite['specs'] => [
  ...specs,
  ...suites.flatMap(specsOf),
];

/** Counts a run that crashed or ran nothing as failed. */
export function countCrash(tally: Tally | undefined, exitCode: number): Tally {
  const counts = tally ?? { passed: 0, failed: 0, skipped: 0, failures: [] };
  const { passed, failed } = counts;
  const ranNothing = passed + failed === 0;
  return { ...counts, failed: failed === 0 && (ranNothing || exitCode !== 0) ? 1 : failed };
}
