// What the JSON reports of the two test runners say, as one kind of tally.
export interface Tally {
  passed: number;
  failed: number;
  skipped: number;
}

export interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: { status: string; assertionResults: { status: string }[] }[];
}

export interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  errors: unknown[];
}

/** Counts tests, and one failure for each file that failed outside its tests (an import, a hook). */
export function vitestTally(report: VitestReport): Tally {
  const brokenFiles = report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.every((test) => test.status !== 'failed'),
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + brokenFiles.length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/** Counts tests, and one failure for each error outside of them; a test that passes only at times has failed. */
export function playwrightTally({ stats, errors }: PlaywrightReport): Tally {
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky + errors.length,
    skipped: stats.skipped,
  };
}

/** Makes sure that a run that crashed, or ran nothing, does not count as a good one. */
export function judged(tally: Tally | undefined, exitCode: number): Tally {
  const { passed, failed, skipped } = tally ?? { passed: 0, failed: 0, skipped: 0 };
  const ranNothing = passed + failed === 0;
  return { passed, failed: failed === 0 && (ranNothing || exitCode !== 0) ? 1 : failed, skipped };
}
