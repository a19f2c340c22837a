import type { Input } from '#contract/endpoint.ts';
import { Refusal, refuse } from '#contract/errors.ts';
import { maskEmail } from '#contract/accounts/mask.ts';
import type { organizations } from '#contract/organizations/calls.ts';
import { fieldText } from '#words/field.ts';
import { serverFieldText } from '#words/server-field.ts';
import type { UserId } from '#contract/wire.ts';
import { mailConfirmation } from '#server/accounts/actions.ts';
import { findHolder, freeAddress } from '#server/accounts/addresses/data.ts';
import { type lockProfile, updateUser } from '#server/accounts/data.ts';
import { emailOrRefusal } from '#server/accounts/rules.ts';
import { recordActivity } from '#server/activity/data.ts';
import { notify } from '#server/activity/notifications/data.ts';
import { changes } from '#server/activity/rules.ts';
import type { Tx } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { enqueue } from '#server/jobs/enqueue.ts';
import { detailsOf } from './rules.ts';
import { internationalPhone } from '#server/phone.ts';

/** Saves the person's details from onboarding. Only a person without an address gives one, and must. */
export async function completeProfile(
  tx: Tx,
  deps: Deps,
  { userId, before }: { readonly userId: UserId; readonly before: Awaited<ReturnType<typeof lockProfile>> },
  input: Input<typeof organizations.create>,
  disclose: boolean,
) {
  if (before.email !== null && input.email !== undefined)
    return refuse('invalid_input', { fields: { email_id: serverFieldText.unknownField } });
  if (before.email === null && input.email === undefined)
    return refuse('invalid_input', { fields: { email_id: fieldText.required } });
  const email = input.email === undefined ? before.email : emailOrRefusal(input.email, 'email_id');
  if (email instanceof Refusal) return email;

  const newEmail = before.email === null ? email : null;
  const holder = newEmail !== null && disclose ? await findFreedHolder(tx, newEmail) : undefined;
  if (holder?.confirmed_at) return refuse('email_id_exist');
  const patch = {
    // An address that another account has unconfirmed goes to the person who opens their mailed link.
    email: disclose && !holder ? email : before.email,
    ...detailsOf(input, before),
  };
  const edits = changes(before, patch);
  if (Object.keys(edits).length > 0) {
    const result = await updateUser(tx, userId, {
      ...patch,
      phone_e164: await internationalPhone(patch.contact_number, input.country),
    });
    if (result instanceof Refusal) return result;
    await recordActivity(tx, deps, 'person.profileInformation.update', {
      userId,
      recordId: userId,
      information: { ...edits, ...(edits.email && { email: [null, maskEmail(email ?? '')] }) },
    });
  }
  if (newEmail !== null) {
    await notify(tx, deps, userId, { kind: 'address_to_confirm', details: { email: newEmail } });
    if (disclose) await mailConfirmation(tx, deps, userId, newEmail);
    else await enqueue(tx, deps, { kind: 'address-claim', payload: { userId, email: newEmail }, userId });
  }
  return { ...before, ...patch };
}

async function findFreedHolder(tx: Tx, email: string) {
  await freeAddress(tx, email);
  return findHolder(tx, email);
}
