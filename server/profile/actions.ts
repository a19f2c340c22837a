import { logFor } from '#contract/activity/recorded.ts';
import type { Input } from '#contract/endpoint.ts';
import { Refusal, refuse } from '#contract/errors.ts';
import type { profile } from '#contract/profile/calls.ts';
import type { OrgId, UserId } from '#contract/wire.ts';
import { getUser, lockProfile, updateUser } from '#server/accounts/data.ts';
import { refuseUnoffered } from '#server/accounts/rules.ts';
import { recordActivity } from '#server/activity/data.ts';
import { changes } from '#server/activity/rules.ts';
import { transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { listNames, renameMemberships } from '#server/members/data.ts';
import { internationalPhone } from '#server/phone.ts';
import { updateContact, type ShownRole } from '#server/profile/contact/actions.ts';
import { partOf, type ProfileChange } from '#server/profile/rules.ts';
import type { ProvenOwner } from '#server/sessions/actions.ts';

export const readProfile = (deps: Deps, userId: UserId, scope: ShownRole) =>
  getUser(deps.sql, userId, scope?.roleId, deps);

export async function changePerson(
  deps: Deps,
  caller: ProvenOwner,
  input: Input<typeof profile.update>,
  scope: ShownRole,
  network: string,
) {
  const part = partOf(input);
  if (part instanceof Refusal) return part;
  return 'contact' in part
    ? updateContact(deps, caller, part.contact, scope, network)
    : updateProfile(deps, caller.userId, part.profile, scope);
}

export const updateProfile = (deps: Deps, userId: UserId, input: ProfileChange, scope: ShownRole) =>
  transaction(deps.sql, async (tx) => {
    const unknown = input.language !== undefined && refuseUnoffered(deps.config.languages, input.language);
    if (unknown) return unknown;
    const before = await lockProfile(tx, userId);
    const names = {
      first_name: input.firstName,
      ...(input.lastName !== undefined && { last_name: input.lastName }),
      ...(input.designation !== undefined && { designation: input.designation }),
    };
    const patch = {
      ...names,
      ...(input.country !== undefined && { country: input.country }),
      ...(input.timeZone !== undefined && { time_zone: input.timeZone }),
      ...(input.language !== undefined && { language: input.language }),
    };
    const country = input.country ?? before.country;
    const edits = changes(before, patch);
    if (Object.keys(edits).length === 0) return refuse('no_changes');
    await updateUser(tx, userId, {
      ...patch,
      ...(edits['country'] && { phone_e164: await internationalPhone(before.contact_number, country) }),
    });
    const logRows = logRowsOf(await listNames(tx, userId), names, scope, edits);
    await renameMemberships(tx, userId, names);
    for (const { orgId, information } of logRows)
      await recordActivity(tx, deps, `${logFor(orgId)}.profileInformation.update`, {
        orgId,
        userId,
        recordId: userId,
        information,
      });
    return getUser(tx, userId, scope?.roleId, deps);
  });

type NamesRow = Awaited<ReturnType<typeof listNames>>[number];
type Edits = ReturnType<typeof changes<Awaited<ReturnType<typeof lockProfile>>>>;

/** The log rows of an edit: a full one where it was made, and one per organization that shows the change. */
function logRowsOf(
  namesRows: readonly NamesRow[],
  names: Partial<NamesRow>,
  scope: ShownRole,
  changed: Edits,
): { readonly orgId: OrgId | null; readonly information: Edits }[] {
  const ownOrgId = scope?.orgId ?? null;
  const rows = namesRows.map((before) => ({ orgId: before.org_id, information: changes(before, names) }));
  const first = rows.find(({ orgId }) => orgId === ownOrgId)?.information;
  const others = rows.filter(
    ({ orgId, information }) => orgId !== ownOrgId && Object.keys(information).length > 0,
  );
  // Every transaction locks the ends of several chains in this order.
  return [{ orgId: ownOrgId, information: { ...changed, ...first } }, ...others].toSorted(
    (a, b) => (a.orgId ?? 0) - (b.orgId ?? 0),
  );
}
