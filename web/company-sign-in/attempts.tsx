import { useQuery } from '@tanstack/react-query';
import type { VisitAttempt, VisitOutcome } from '#contract/company-sign-in/connections.ts';
import type { OrgId } from '#contract/wire.ts';
import { companyAttemptsText as text } from '#words/company-attempts.ts';
import { momentsIn } from '#web/lib/moments.ts';
import { Facts } from '#web/ui/facts.tsx';
import { LoadFailed } from '#web/ui/sections.tsx';
import { Pill } from '#web/ui/pill.tsx';
import styles from './company-sign-in.module.css';
import { Item } from './parts.tsx';
import { attemptsQuery } from './queries.ts';

/** Of each outcome, so that many of one kind hide no others. */
const SHOWN = 5;

/** The newest visits to the provider. A test shows its checks, too. */
export function Attempts({ orgId, zone }: { orgId: OrgId; zone: string | null }) {
  const { data: attempts, isError, refetch } = useQuery(attemptsQuery(orgId));
  const newestTest = attempts?.find(({ isTest }) => isTest);
  return (
    <section className={styles.attempts}>
      <h3>{text.title}</h3>
      {isError && !attempts && <LoadFailed onRetry={() => void refetch()} />}
      {attempts?.length === 0 && <p>{text.empty}</p>}
      {attempts && attempts.length > 0 && (
        <ul className={styles.items}>
          {newestOfEach(attempts).map((attempt) => (
            <Attempt
              key={attempt.reference}
              attempt={attempt}
              zone={zone}
              isNewest={attempt === newestTest && attempt === attempts[0]}
            />
          ))}
        </ul>
      )}
    </section>
  );
}

function newestOfEach(attempts: readonly VisitAttempt[]) {
  const shown = new Map<string, number>();
  return attempts.filter(({ outcome, isSaidInAddress }) => {
    const kind = `${outcome} ${isSaidInAddress}`;
    const count = (shown.get(kind) ?? 0) + 1;
    shown.set(kind, count);
    return count <= SHOWN;
  });
}

type AttemptProps = { attempt: VisitAttempt; zone: string | null; isNewest: boolean };

function Attempt({ attempt, zone, isNewest }: AttemptProps) {
  const { outcome, email, time, reference, problem, isSaidInAddress, isTest, claims } = attempt;
  const isFailed = outcome in text.failures;
  return (
    <Item
      name={<bdi>{email ?? text.nobody}</bdi>}
      pills={
        <>
          <Pill tone={isFailed ? 'bad' : outcome === 'linkPending' ? 'warn' : 'good'}>
            {isFailed ? text.failed : wordsOf(attempt)}
          </Pill>
          {isTest && <Pill>{text.test}</Pill>}
        </>
      }
      words={<time dateTime={time.toISOString()}>{momentsIn(zone).moment(time)}</time>}
    >
      {isFailed && (
        <>
          <p>{wordsOf(attempt)}</p>
          <Facts
            facts={{
              [isSaidInAddress ? text.saidInAddress : text.problem]: outcome !== 'otherIssuer' && problem,
              [text.reference]: reference,
            }}
          />
        </>
      )}
      {claims && (
        <details open={isNewest}>
          <summary>{text.details}</summary>
          <ol className={styles.checks}>
            {checksOf(outcome).map(({ check, passed }) => (
              <li key={check}>
                <Pill tone={passed === undefined ? 'neutral' : passed ? 'good' : 'bad'}>
                  {passed === undefined ? text.notReached : passed ? text.passed : text.failed}
                </Pill>
                <span>{text.checks[check]}</span>
              </li>
            ))}
          </ol>
          <Facts facts={Object.fromEntries(claims.map(({ name, value }) => [name, value]))} />
        </details>
      )}
    </Item>
  );
}

function wordsOf({ outcome, problem }: VisitAttempt): string {
  const words = { ...text.successes, ...text.failures }[outcome];
  return typeof words === 'string' ? words : words({ issuer: problem });
}

/** The checks of a test in their order, each with the outcome that fails it. */
const CHECKS = [
  ['subject', 'noSubject'],
  ['address', 'noAddress'],
  ['verified', 'unverified'],
  ['colleague', 'guest'],
  ['company', 'otherCompany'],
  ['domain', 'otherDomain'],
] as const;

function checksOf(outcome: VisitOutcome) {
  const failedAt = CHECKS.findIndex(([, failure]) => failure === outcome);
  return CHECKS.map(([check], at) => ({
    check,
    passed: failedAt === -1 || at < failedAt ? true : at === failedAt ? false : undefined,
  }));
}
