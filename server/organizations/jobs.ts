import { randomBytes } from 'node:crypto';
import { reservedUrlNames } from '#contract/pages.ts';
import { productSlug } from '#contract/product-slug.ts';
import { transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { queueMail } from '#server/mail/outbox.ts';
import { lockOrganization } from '#server/members/data.ts';
import { listSuperAdminAddresses } from '#server/members/standing/data.ts';
import { listByUrlNames, renameUrl } from './data.ts';
import { urlNameMail } from './mail.ts';
import { urlNameCandidates } from './rules.ts';

/** A release or a brand may reserve a URL name. The organization that has it gets another one. */
export async function renameReserved(deps: Deps) {
  const reserved = [...reservedUrlNames, productSlug()];
  for (const { id, name, urlName: before } of await listByUrlNames(deps.sql, reserved))
    await transaction(deps.sql, async (tx) => {
      await lockOrganization(tx, id);
      for (const after of urlNameCandidates(before, () => randomBytes(3).toString('hex'))) {
        if (!(await renameUrl(tx, id, after, deps.clock.now()))) continue;
        const url = new URL(`/${after}/organization`, deps.config.publicUrl).href;
        const content = urlNameMail({ organization: name, before, after }, url);
        for (const { userId, email } of await listSuperAdminAddresses(tx, id))
          await queueMail(tx, deps, { userId, to: email, content });
        return deps.log.warn({ organization: id, before, after }, 'a reserved URL name was replaced');
      }
      throw new Error('no URL name was free');
    });
}
