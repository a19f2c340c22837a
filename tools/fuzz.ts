// Sends hostile requests to the portal, made of its contract, and judges every answer.
// `npm run fuzz` sends 100,000; `--count` and `--seed` choose how many and which.
import { parseArgs } from 'node:util';
import { fuzz } from '#server/testing/fuzz.ts';
import { startApp } from '#server/testing/start-app.ts';

const { values } = parseArgs({
  options: { count: { type: 'string', default: '100000' }, seed: { type: 'string' } },
});
const count = Number(values.count);
const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed);
if (!Number.isSafeInteger(count) || count < 1 || !Number.isSafeInteger(seed)) {
  console.error('--count takes a whole number over 0, --seed a whole number.');
  process.exit(2);
}

console.log(`${count} requests, seed ${seed}`);
// Whether each is answered as the contract says is asked here, not how many.
const app = await startApp({ RATE_LIMIT_FACTOR: '1000000' });
const startedAt = performance.now();
let told = 0;
const { findings, statuses } = await fuzz(app, {
  count,
  seed,
  progress: (done) => {
    const tenth = Math.floor((10 * done) / count);
    if (tenth === told) return;
    told = tenth;
    console.log(`${done} sent, ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
  },
});
await app.close();

for (const { seed: worldSeed, call, what, sent } of findings.slice(0, 50))
  console.error(`\n${call}: ${what}\n  ${sent}\n  again: npm run fuzz -- --seed ${worldSeed} --count 200`);
const counts = Object.entries(statuses).map(([status, times]) => `${status}: ${times}`);
console.log(`Answers: ${counts.join(', ')}`);
console.log(`${findings.length} findings`);
process.exitCode = findings.length > 0 ? 1 : 0;
