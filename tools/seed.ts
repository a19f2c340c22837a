// Fills a fresh installation with two organizations and a year of activity, for demonstrations.
import { parseArgs } from 'node:util';
import { seed } from './seeding/seed.ts';

const help = `npm run seed

Fills a fresh installation (DATA_DIR, or DATABASE_URL) with an organization of 40 people in every status, a second
one, pending invitations and a year of activity, and says at the end how to sign in. Not for production.

  --beside-others  also where there are people already
  --help           this`;

const { values } = parseArgs({
  options: {
    'beside-others': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(help);
} else {
  const isShown = process.stdout.isTTY;
  const result = await seed(process.env, {
    besideOthers: values['beside-others'],
    tell: (share) => isShown && process.stdout.write(`\rA year goes by… ${Math.round(100 * share)} %`),
  });
  if (isShown) process.stdout.write('\n');
  (result.ok ? console.log : console.error)(result.words);
  process.exitCode = result.ok ? 0 : 1;
}
