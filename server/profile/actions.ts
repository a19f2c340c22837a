import { logFor } from '#contract/activity/recorded.ts';
import type { Input } from '#contract/endpoint.ts';
import { Refusal, refuse } from '#contract/errors.ts';
import type { profile } from '#contract/profile/calls.ts';
import type { OrgId, UserId } from '#contract/wire.ts';
import { getUser, lockProfile, updateUser } from '#server/accounts/data.ts';
import { refuseUnoffered } from '#server/accounts/rules.ts';
import { showTo } from '#server/accounts/shown.ts';
import { recordActivity } from '#server/activity/data.ts';
import { changes } from '#server/activity/rules.ts';
import { transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { listNames, renameMemberships } from '#server/members/data.ts';
import { internationalPhone } from '#server/phone.ts';
import { updateContact, type ShownRole } from '#server/profile/contact/actions.ts';
import { partOf, type ProfileChange } from './rules.ts';
import type { ProvenOwner } from '#server/sessions/actions.ts';

export const readProfile = async (deps: Deps, caller: ProvenOwner, scope: ShownRole) =>
  showTo(deps, caller, await getUser(deps.sql, caller.userId, scope?.roleId, deps));

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

const COLUMNS = {
  firstName: 'first_name',
  lastName: 'last_name',
  designation: 'designation',
  country: 'country',
  timeZone: 'time_zone',
  language: 'language',
} as const satisfies Record<keyof Omit<ProfileChange, 'orgId'>, keyof Profile>;

/** The changed columns. A field that is not given stays. */
const columnsOf = (input: ProfileChange) =>
  Object.fromEntries(
    (Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]).flatMap((field) =>
      input[field] === undefined ? [] : [[COLUMNS[field], input[field]]],
    ),
  ) as Partial<Pick<Profile, (typeof COLUMNS)[keyof typeof COLUMNS]>>;

export const updateProfile = (deps: Deps, userId: UserId, input: ProfileChange, scope: ShownRole) =>
  transaction(deps.sql, async (tx) => {
    const unknown = input.language !== undefined && refuseUnoffered(deps.config.languages, input.language);
    if (unknown) return unknown;
    const before = await lockProfile(tx, userId);
    const patch = columnsOf(input);
    const { country: _country, time_zone: _zone, language: _language, ...names } = patch;
    const country = input.country ?? before.country;
    const edits = changes(before, patch);
    if (Object.keys(edits).length === 0) return refuse('no_changes');
    await updateUser(tx, userId, {
      ...patch,
      ...(edits['language'] && { language_chosen: true }),
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
type Profile = Awaited<ReturnType<typeof lockProfile>>;
type Edits = ReturnType<typeof changes<Profile>>;

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
