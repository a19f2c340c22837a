interface Goal {
  /** The required result. */
  readonly pass: string;
  /** A better result than required. */
  readonly stretch?: string;
}

/** The goal of each row, in short: the faults L, the abuse M and the figures R of docs/security.md. */
export const goals = {
  L1: {
    pass: 'connections cut: 503, rolled back, recovery ≤ 5 s, retries work',
  },
  L2: {
    pass: 'database away: 503 ≤ 2 s (silent: 4 s), alive, not ready, pages load, recovery ≤ 5 s',
  },
  L3: { pass: 'failover: as R6; ended sessions stay ended' },
  L4: { pass: 'kills: ledger intact, only requests in flight fail' },
  L5: { pass: 'embedded kills: reopens ≤ 5 s, ledger intact' },
  L6: { pass: 'second process refused ≤ 2 s, holder named' },
  L7: {
    pass: 'mail outage: answers ≤ 500 ms, mails once and in order, bounces noted',
  },
  L8: {
    pass: 'disk or store fault: upload refused, old image served',
  },
  L11: { pass: 'Redis away: the database counts limits, sessions continue' },
  L12: { pass: '/readyz fails at > 1 s lag; restart ≤ 5 s after a full heap' },
  L13: { pass: 'hostile provider: on /login ≤ 5 s' },
  L14: {
    pass: 'standby lost: reads continue, writes get 503; recovery ≤ 5 s',
  },
  L15: { pass: 'kill -9 between sign-out and delivery: no notice lost' },
  L16: { pass: 'kill -9 between change and delivery: no event lost' },
  M1: {
    pass: 'forged addresses do not count',
  },
  M2: {
    pass: 'silence, head 10 s; body, idle 30 s; empty lines 40 s; unread answer 60 s (HAProxy: 35 s, 70 s); 100 sockets; others p99 ≤ 1 s',
  },
  M3: { pass: 'giant requests refused in ≤ 100 ms of CPU' },
  M4: { pass: 'hash flood: 429 or 503; signed-in p99 ≤ 1 s' },
  M5: { pass: 'ambiguous requests refused' },
  M6: { pass: 'unknown methods, targets, codings refused or ignored' },
  M7: { pass: 'injected text changes nothing; errors name no interpreter' },
  R1: {
    pass: '200/s for 30 min, no 5xx, p99 ≤ 400 ms',
    stretch: '300 a second, 60 min',
  },
  R2: { pass: '20 sign-ins/s for 10 min, no 5xx, p99 ≤ 1 s', stretch: '50 a second' },
  R3: {
    pass: 'five times R1, and M4: only 429 and 503, signed-in p99 ≤ 1 s, recovery ≤ 5 s',
    stretch: '≤ 2 s',
  },
  R4: {
    pass: '10,000 people, 15 min: no 5xx, memory ≤ +150 MB',
    stretch: '100,000 sessions',
  },
  R5: {
    pass: '50 kills: nothing lost, full service ≤ 2 s',
    stretch: 'no GET fails',
  },
  R6: {
    pass: '10 failovers: nothing lost, writes ≤ 10 s',
    stretch: '≤ 3 s',
  },
  R7: { pass: 'immediate restarts: nothing lost, writes ≤ 15 s', stretch: '≤ 5 s' },
  R8: {
    pass: '50 kills, 20 in first starts: nothing lost',
    stretch: '500 kills',
  },
  R9: { pass: '20 of 20 refused' },
  R10: { pass: '30 min outage: no 5xx, all mails once ≤ 2 min after it', stretch: '24 h' },
  R11: {
    pass: '140,000 hostile requests: no 5xx, no crash, event loop ≤ 200 ms',
    stretch: '1,000,000',
  },
  R12: { pass: '200 rounds per race, invariants hold', stretch: '2,000 rounds' },
  R13: { pass: 'M2, others p99 ≤ 1 s', stretch: '10,000 sockets' },
  R14: { pass: '20 rolling restarts, no failed request', stretch: 'with a migration' },
  R15: { pass: '2 h of R1: memory ≤ 5 MB/h after 20 min, open files flat', stretch: '12 h' },
  R16: { pass: '100,000 people ≤ 5 min, chain verifies', stretch: 'to a point in time' },
  R17: { pass: 'ended sessions refused everywhere on the next request ≤ 1 s, 200 of 200' },
  R18: { pass: 'ready ≤ 5 s, no 200 before', stretch: '≤ 2 s' },
  R19: { pass: 'embedded: 100/s for 10 min, no 5xx, p99 ≤ 400 ms' },
  R20: { pass: 'sign-out reaches three applications ≤ 1 s (p99 of 200) while one is down and one silent' },
  R21: { pass: '3 rotations of signing keys under load, no failed verification' },
  R22: { pass: '10,000 events reach four webhooks once and in order while a fifth is dead' },
} as const satisfies Record<string, Goal>;
export type Row = keyof typeof goals;

/** The stretch goal of a row, if it has one. */
export const stretchOf = (row: Row) => ({ stretch: undefined, ...goals[row] }).stretch;
