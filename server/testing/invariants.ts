import type { OrgId } from '#contract/wire.ts';
import { brokenChains } from '#server/activity/chain/verify.ts';
import { brokenRows } from './breaches.ts';
import type { TestApp } from './start-app.ts';

export async function brokenInvariants(app: TestApp, orgId?: OrgId): Promise<string[]> {
  const { sql, config } = app.deps;
  const broken = await brokenRows(sql, config.maxMembersPerOrg, orgId);
  // An organization that a test inserted may have no log yet.
  for await (const { chain, position, problem } of brokenChains(app.deps, orgId && `org:${orgId}`))
    if (problem !== 'no such chain') broken.push(`6: ${chain} ${position}: ${problem}`);
  if (app.logLines.some((line) => /digest=|"password"/.test(line))) broken.push('10: a secret is in the log');
  return broken;
}
