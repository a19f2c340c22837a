// Sends hostile requests, generated from the contract, and judges every answer. `npm run fuzz` sends 100,000 JSON or
// query calls and 20,000 forms to the embedded database. `--engine postgres` uses a fresh PostgreSQL, `--share 0.1`
// sends a tenth, and `--seed` repeats a run.
import { parseArgs } from 'node:util';
import type { FuzzKind } from '#server/testing/fuzz-inputs.ts';
import { fuzz } from '#server/testing/fuzz.ts';
import { startApp } from '#server/testing/start-app.ts';
import { startPostgres } from './postgres.ts';

const counts = { json: 100_000, form: 20_000 } satisfies Partial<Record<FuzzKind, number>>;
const LAG_MAX_MS = 200;

const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: 'pglite' },
    share: { type: 'string', default: '1' },
    kind: { type: 'string' },
    seed: { type: 'string' },
  },
});
const share = Number(values.share);
const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed);
const kinds = Object.entries(counts).filter(([kind]) => values.kind === undefined || kind === values.kind);
const isEngine = values.engine === 'pglite' || values.engine === 'postgres';
if (!(share > 0) || !Number.isSafeInteger(seed) || !isEngine || kinds.length === 0) {
  console.error(
    `--share takes a number over 0, --seed a whole number, --engine pglite or postgres, --kind ${Object.keys(counts).join(' or ')}.`,
  );
  process.exit(2);
}

process.env['TEST_ENGINE'] = values.engine;
const postgres = values.engine === 'postgres' ? await startPostgres() : undefined;
if (postgres) process.env['TEST_POSTGRES_URL'] = postgres.url;
let hasFailed = false;
for (const [kind, whole] of kinds) {
  const count = Math.max(1, Math.round(whole * share));
  console.log(`${values.engine}: ${count} of ${kind}, seed ${seed}`);
  // This tests answers, not rate limits.
  const app = await startApp({ RATE_LIMIT_FACTOR: '1000000' });
  const startedAt = performance.now();
  let lastReport = 0;
  const { findings, statuses, longest } = await fuzz(app, {
    count,
    seed,
    kind: kind as FuzzKind,
    progress: (done) => {
      const tenth = Math.floor((10 * done) / count);
      if (tenth === lastReport) return;
      lastReport = tenth;
      console.log(`${done} sent, ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
    },
  });
  await app.close();
  for (const { seed: worldSeed, call, what, sent: request } of findings.slice(0, 50))
    console.error(
      `\n${call}: ${what}\n  ${request}\n  again: npm run fuzz -- --kind ${kind} --seed ${worldSeed} --share ${200 / whole}`,
    );
  const answers = Object.entries(statuses).map(([status, times]) => `${status}: ${times}`);
  console.log(`Answers: ${answers.join(', ')}`);
  const lag = `${longest.lagMs.toFixed(0)} ms at most, by ${longest.call}`;
  console.log(`${findings.length} findings; the event loop was held up for ${lag}`);
  hasFailed ||= findings.length > 0 || longest.lagMs > LAG_MAX_MS;
}
await postgres?.stop();
process.exitCode = hasFailed ? 1 : 0;
