/** The goal of each row: faults L, and figures R. Other faults have server tests (docs/reliability.md). */
export const goals = {
  L1: 'connections cut: 503, rolled back, recovery ≤ 5 s, retries work',
  L2: 'database away: 503 ≤ 2 s (silent: 4 s), alive, not ready, pages load, recovery ≤ 5 s',
  L3: 'failover: as R6; ended sessions stay ended',
  L4: 'kills: ledger intact, only requests in flight fail',
  L5: 'embedded kills: reopens ≤ 5 s, ledger intact',
  R1: '200/s for 30 min, no 5xx, p99 ≤ 400 ms',
  R2: '20 sign-ins/s for 10 min, no 5xx, p99 ≤ 1 s',
  R3: 'five times R1: only 429 and 503, signed-in p99 ≤ 1 s, recovery ≤ 5 s',
  R4: '10,000 people, 15 min: no 5xx, memory ≤ +150 MB',
  R5: '50 kills: nothing lost, full service ≤ 2 s',
  R6: '10 failovers: nothing lost, writes ≤ 10 s',
  R7: 'immediate restarts: nothing lost, writes ≤ 15 s',
  R8: '50 kills, 20 in first starts: nothing lost',
  R14: '20 rolling restarts, the last with a migration: no failed request',
  R16: '100,000 people ≤ 5 min, also to a point in time; chain verifies',
  R18: 'ready ≤ 5 s, no 200 before',
  R19: 'embedded: 100/s for 10 min, no 5xx, p99 ≤ 400 ms',
} as const;
export type Row = keyof typeof goals;
