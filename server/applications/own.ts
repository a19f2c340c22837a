import type { applicationIcons } from '#contract/applications/icons.ts';
import type { ownApplications } from '#contract/applications/own.ts';
import { addressProblems, type ApplicationId, keepsSecret } from '#contract/applications/registration.ts';
import { APPLICATIONS_PER_ORGANIZATION_MAX } from '#contract/limits.ts';
import type { Image } from '#contract/drive/calls.ts';
import type { Input } from '#contract/endpoint.ts';
import { refuse, Refusal } from '#contract/errors.ts';
import { mailText } from '#words/mail.ts';
import { refusalText } from '#words/rules/refusal.ts';
import { addClient, addSecret, changeIcon, renewSecret } from './clients.ts';
import { deleteApplication, setPaused, updateApplication, findIcon } from './data-clients.ts';
import { endRefusedAccess, findOwn, listOwn, type Own, replaceRoles } from './data-own.ts';
import { ownRow, recordedSettings } from './rules.ts';
import type { Tx } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { storePicture } from '#server/drive/actions.ts';
import type { Sender } from '#server/images.ts';
import { fillWords } from '#server/mail/frame.ts';
import { registryActsOf, type SuperAdmin, type Words } from '#server/registry/registry.ts';

const mails = {
  added: mailText.applicationAdded,
  moved: mailText.applicationMoved,
  secret: mailText.applicationSecret,
  removed: mailText.applicationRemoved,
} as const;

export const anyApplication = {
  matter: { to: 'manageApplications', details: refusalText.superAdminOfApplications },
  type: 'ownApplication',
  // Super Admins learn of it, because an application may let strangers in.
  wordsOf: (mail: keyof typeof mails, { name, ...words }: Words) =>
    fillWords(mails[mail], { ...words, application: name }),
  page: 'organization/applications',
  nameOf: ({ name }: { readonly name: string }) => name,
  setPaused: (tx: Tx, id: ApplicationId, isPaused: boolean, { clock }: Deps) =>
    setPaused(tx, id, isPaused ? clock.now() : null),
  remove: deleteApplication,
} as const;

export const own = registryActsOf<ApplicationId, Own, 'application_not_found'>({
  ...anyApplication,
  missing: 'application_not_found',
  find: (tx, id, orgId) => findOwn(tx, orgId, id),
  about: ({ name }) => ({ application: name }),
  recorded: recordedSettings,
  addresses: ['start_url', 'redirect_urls', 'signed_out_urls', 'sign_out_url'],
  newSecret: async (tx, deps, { id, kind }, formerEnd) =>
    keepsSecret(kind) ? renewSecret(tx, deps, id, formerEnd) : refuse('application_not_found'),
  isAlready: (application, isPaused) => application.isPaused === isPaused,
});

export const listApplications = async (deps: Deps, scope: Pick<SuperAdmin, 'orgId' | 'userId'>) =>
  (await own.refuseOthers(deps, scope)) ?? listOwn(deps.sql, scope.orgId);

function refuseUnfit(settings: Parameters<typeof addressProblems>[0]) {
  const { redirectUrls, signedOutUrls } = addressProblems(settings);
  const fields = {
    ...(redirectUrls && { redirect_urls: redirectUrls }),
    ...(signedOutUrls && { signed_out_urls: signedOutUrls }),
  };
  return Object.keys(fields).length > 0 ? refuse('invalid_input', { fields }) : undefined;
}

export const registerApplication = (
  deps: Deps,
  superAdmin: SuperAdmin,
  settings: Input<typeof ownApplications.register>,
) =>
  own.add(deps, superAdmin, async (tx) => {
    const { orgId, userId } = superAdmin;
    const unfit = refuseUnfit(settings);
    if (unfit) return unfit;
    if ((await listOwn(tx, orgId)).length >= APPLICATIONS_PER_ORGANIZATION_MAX)
      return refuse('application_limit_reached');
    const { kind } = settings;
    const row = { ...ownRow(settings), kind, org_id: orgId, created_by: userId };
    const { id } = await addClient(tx, deps, row);
    if (!(await replaceRoles(tx, id, { ...settings, orgId }))) return refuse('role_not_found');
    return { id, secret: keepsSecret(kind) ? await addSecret(tx, deps, id) : null };
  });

export const changeApplication = (
  deps: Deps,
  superAdmin: SuperAdmin,
  { id, orgId, removesIcon, ...input }: Input<typeof ownApplications.change>,
) =>
  own.change(deps, superAdmin, id, async (tx, before) => {
    const given = Object.entries(input).filter(([, value]) => value !== undefined);
    const after: typeof before = { ...before, ...Object.fromEntries(given) };
    const unfit = refuseUnfit(after);
    if (unfit) return unfit;
    await updateApplication(tx, id, ownRow(after));
    if (!(await replaceRoles(tx, id, { ...after, orgId }))) return refuse('role_not_found');
    await endRefusedAccess(tx, id);
    return removesIcon ? changeIcon(tx, deps, id, null) : {};
  });

export async function uploadApplicationIcon(
  deps: Deps,
  superAdmin: SuperAdmin,
  { applicationId, file }: Input<typeof applicationIcons.uploadApplicationIcon>,
  sender: Sender,
) {
  const icon = await storePicture(deps, await file.bytes(), sender);
  if (icon instanceof Refusal) return icon;
  return own.actOn(deps, superAdmin, applicationId, async (tx) => {
    const information = await changeIcon(tx, deps, applicationId, icon);
    const entry = await own.get(tx, deps, superAdmin, applicationId);
    return { entry, action: 'update', information, answer: entry };
  });
}

export async function readApplicationIcon(
  { sql, storage }: Deps,
  { fileId }: Input<typeof applicationIcons.applicationIcon>,
): Promise<Image | Refusal<'file_not_found'>> {
  const icon = await findIcon(sql, fileId);
  const bytes = icon && (await storage.get(fileId));
  return bytes ? { mediaType: icon.mediaType, bytes, isPublic: true } : refuse('file_not_found');
}
