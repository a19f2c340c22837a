import type { UserId } from '#contract/wire.ts';
import { hasAgreed, insertConsent } from './data.ts';
import { recordActivity } from '#server/activity/data.ts';
import { brandNow, legalOf } from '#server/brand/brand.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { languageNow } from '#server/language.ts';

/** Records that a person agrees to the operator's terms, if there are some. `seen` is the version that their page showed. */
export async function recordConsent(
  tx: Tx,
  deps: Deps,
  userId: UserId,
  {
    seen = null,
    language = languageNow(),
  }: { readonly seen?: string | null | undefined; readonly language?: string },
) {
  const current = brandNow()?.legal?.version;
  if (current === undefined) return;
  const [consent] = await insertConsent(tx, { userId, seen, current, language, now: deps.clock.now() });
  if (!consent) return;
  const information = { terms_version: [null, consent.version] };
  await recordActivity(tx, deps, 'person.terms.create', { userId, information });
}

export async function findNewTerms(sql: Db, userId: UserId) {
  const { legal } = legalOf(brandNow() ?? undefined);
  return legal && !(await hasAgreed(sql, userId, legal.version)) ? { newTerms: legal } : {};
}
