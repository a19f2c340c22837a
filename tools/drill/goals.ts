interface Goal {
  /** What has to be reached. */
  readonly pass: string;
  /** What would be better still. */
  readonly stretch?: string;
}

/** What each row asks: the faults L, the abuse M and the figures R of docs/security.md, in short. */
export const goals = {
  L1: {
    pass: '503 with Retry-After, rolled back whole, pool back ≤ 5 s, what has no known end can be tried again',
  },
  L2: {
    pass: '503 ≤ 2 s (by our own mark ≤ 4 s of one that goes silent, as a statement may take 3 s); alive but not ready, pages load, all well ≤ 5 s after its return',
  },
  L3: { pass: 'as R6; no session that was ended serves again' },
  L4: { pass: 'ledger intact, only requests in flight fail' },
  L5: { pass: 'kill -9 of the embedded database: reopens ≤ 5 s, ledger intact' },
  L6: { pass: 'a second process refuses to start ≤ 2 s and names the holder; a stale name is passed over' },
  L7: {
    pass: 'mail refused, silent, 4xx, 5xx, slow: answers ≤ 500 ms, each mail once and in order, no storm of tries, no code that ran out, a bounce marks its row',
  },
  L8: {
    pass: 'disk or store full, read-only, slow, down: refused with a code, the old image is served where it can be read, no half file, recovers without a restart',
  },
  L11: { pass: 'Redis dead or silent: the database counts limits, sessions go on' },
  L12: { pass: '/readyz fails at > 1 s lag; an exit at the heap limit is restarted ≤ 5 s' },
  L13: { pass: '5 s of patience, no redirects, 64 KB an answer, the user back on /login with words' },
  L14: {
    pass: 'without its only synchronous standby reads go on and writes are answered 503; all well ≤ 5 s after',
  },
  M1: {
    pass: "the client's address is the socket's, or what trusted proxies say; an IPv6 one counts by its /64",
  },
  M2: {
    pass: 'a head gets 10 s, a body 30 s, an idle socket 30 s (40 s if it sends empty lines), an answer that nobody takes 60 s (behind HAProxy 35 s and 70 s), a network 100 sockets; others p99 ≤ 1 s',
  },
  M3: { pass: 'JSON ≤ 64 KB, depth ≤ 20, headers ≤ 16 KB: refused in ≤ 100 ms of CPU' },
  M4: { pass: 'beyond 64 that wait: 429 or 503 with Retry-After; signed in p99 ≤ 1 s' },
  M5: { pass: 'what two servers could read in two ways is refused, and nothing in it is served' },
  M6: { pass: 'methods, targets, protocols and codings that nothing here speaks are refused or passed over' },
  M7: { pass: 'injected words change nothing and no error tells of an interpreter' },
  R1: {
    pass: '200 requests a second for 30 min, no 5xx, 99 of 100 ≤ 400 ms',
    stretch: '300 a second, 60 min',
  },
  R2: { pass: '20 sign-ins a second for 10 min, no 5xx, 99 of 100 ≤ 1 s', stretch: '50 a second' },
  R3: {
    pass: 'five times R1, and M4: only 429 and 503 with Retry-After, signed-in 99 of 100 of those served ≤ 1 s, recovery ≤ 5 s',
    stretch: '≤ 2 s',
  },
  R4: {
    pass: '10,000 sessions over 10,000 people, 15 min of calls: no 5xx, memory + ≤ 150 MB',
    stretch: '100,000 sessions',
  },
  R5: {
    pass: '50 kills: nothing acknowledged lost, invariants hold, full service ≤ 2 s',
    stretch: 'no GET fails',
  },
  R6: {
    pass: '10 failovers: nothing acknowledged lost, writes again ≤ 10 s without a restart',
    stretch: '≤ 3 s',
  },
  R7: { pass: 'immediate restart: writes again ≤ 15 s, nothing acknowledged lost', stretch: '≤ 5 s' },
  R8: {
    pass: '50 kills and 20 in first starts: nothing lost, nothing that does not open',
    stretch: '500 kills',
  },
  R9: { pass: 'second opener refused 20 of 20' },
  R10: { pass: 'outage of 30 min: no 5xx, all mails once ≤ 2 min after the return', stretch: '24 h' },
  R11: {
    pass: '100,000 JSON, 20,000 forms, 20,000 heads and raw bytes: zero 5xx, zero crashes, event loop ≤ 200 ms',
    stretch: '1,000,000',
  },
  R12: { pass: 'each race in 200 rounds, no invariant broken', stretch: '2,000 rounds' },
  R13: { pass: 'M2 with others p99 ≤ 1 s', stretch: '10,000 sockets' },
  R14: { pass: '20 rolling restarts under load, no failed request', stretch: 'with a migration' },
  R15: { pass: '2 h of R1: memory ≤ 5 MB an hour after 20 min, open files flat', stretch: '12 h' },
  R16: { pass: '100,000 people ≤ 5 min, the chain verifies', stretch: 'to a point in time' },
  R17: { pass: 'refused by every process on its next request, answered ≤ 1 s, 200 of 200' },
  R18: { pass: 'cold ≤ 5 s to ready, 503 or no answer before, never a half-ready 200', stretch: '≤ 2 s' },
  R19: { pass: 'R1 on the embedded database: 100 requests a second for 10 min, no 5xx, 99 of 100 ≤ 400 ms' },
} as const satisfies Record<string, Goal>;
export type Row = keyof typeof goals;

/** The stretch mark of a row, where it has one. */
export const stretchOf = (row: Row) => ({ stretch: undefined, ...goals[row] }).stretch;
