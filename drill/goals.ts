interface Goal {
  /** The required result. */
  readonly pass: string;
  /** A better result than required. */
  readonly stretch?: string;
}

/** The goal of each row: faults L, and figures R. Other faults have server tests (docs/reliability.md). */
export const goals = {
  L1: { pass: 'connections cut: 503, rolled back, recovery ≤ 5 s, retries work' },
  L2: { pass: 'database away: 503 ≤ 2 s (silent: 4 s), alive, not ready, pages load, recovery ≤ 5 s' },
  L3: { pass: 'failover: as R6; ended sessions stay ended' },
  L4: { pass: 'kills: ledger intact, only requests in flight fail' },
  L5: { pass: 'embedded kills: reopens ≤ 5 s, ledger intact' },
  L14: { pass: 'standby lost: reads continue, writes get 503; recovery ≤ 5 s' },
  R1: { pass: '200/s for 30 min, no 5xx, p99 ≤ 400 ms', stretch: '300 a second, 60 min' },
  R2: { pass: '20 sign-ins/s for 10 min, no 5xx, p99 ≤ 1 s', stretch: '50 a second' },
  R3: {
    pass: 'five times R1, and a flood of guesses: only 429 and 503, signed-in p99 ≤ 1 s, recovery ≤ 5 s',
    stretch: '≤ 2 s',
  },
  R4: { pass: '10,000 people, 15 min: no 5xx, memory ≤ +150 MB', stretch: '100,000 sessions' },
  R5: { pass: '50 kills: nothing lost, full service ≤ 2 s', stretch: 'no GET fails' },
  R6: { pass: '10 failovers: nothing lost, writes ≤ 10 s', stretch: '≤ 3 s' },
  R7: { pass: 'immediate restarts: nothing lost, writes ≤ 15 s', stretch: '≤ 5 s' },
  R8: { pass: '50 kills, 20 in first starts: nothing lost', stretch: '500 kills' },
  R14: { pass: '20 rolling restarts, no failed request', stretch: 'with a migration' },
  R16: { pass: '100,000 people ≤ 5 min, chain verifies', stretch: 'to a point in time' },
  R18: { pass: 'ready ≤ 5 s, no 200 before', stretch: '≤ 2 s' },
  R19: { pass: 'embedded: 100/s for 10 min, no 5xx, p99 ≤ 400 ms' },
} as const satisfies Record<string, Goal>;
export type Row = keyof typeof goals;

/** The stretch goal of a row, if it has one. */
export const stretchOf = (row: Row) => ({ stretch: undefined, ...goals[row] }).stretch;
