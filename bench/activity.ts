import { openTestDatabase, type TestDatabase } from '#server/testing/databases.ts';
import { timePages } from '#server/testing/planted-log.ts';

// What a page of the activity log costs as the log grows: the newest rows, by each filter, as times of what the same
// page costs in the smallest log. `npm run bench -- activity 1000 100000`; on PostgreSQL where TEST_ENGINE says so.

const sizes = process.argv.slice(2).map(Number);
const asked = sizes.length > 0 ? sizes : [1000, 10_000, 100_000, 1_000_000];

const smallest = new Map<string, number>();
for (const rows of asked) {
  const database: TestDatabase = await openTestDatabase();
  const started = performance.now();
  const measured = await timePages(database.sql, rows);
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  console.log(`${rows.toLocaleString('en')} rows, ${database.engine}, ${seconds} s with planting`);
  for (const [name, ms] of measured) {
    const least = smallest.get(name) ?? ms;
    smallest.set(name, least);
    console.log(`  ${name.padEnd(40)} ${ms.toFixed(2).padStart(8)} ms  ${(ms / least).toFixed(1)} ×`);
  }
  await database.close();
}
