// Super Admins draft, test, switch and remove the connection to their company's identity provider here.
import type {
  CompanyConnection,
  companyConnections,
  ConnectionId,
} from '#contract/company-sign-in/connections.ts';
import { OPERATOR_ID } from '#contract/activity/calls.ts';
import type { Input } from '#contract/endpoint.ts';
import type { UserId } from '#contract/wire.ts';
import { Refusal, type RefusalName, refuse } from '#contract/errors.ts';
import { namesAlike } from '#contract/company-sign-in/issuer.ts';
import { companyFieldText } from '#words/company-field.ts';
import { companyMailText } from '#words/company-mail.ts';
import { recordActivity } from '#server/activity/data.ts';
import { changes } from '#server/activity/rules.ts';
import {
  type Change,
  refuseOthers,
  refuseUnderRule,
  roleName,
  roleToGive,
  settingsChange,
  type SettingsDone,
  companyNews,
} from '#server/company-sign-in/changes.ts';
import type { SuperAdmin } from '#server/members/super-admin-news/acts.ts';
import {
  type Connection,
  countIdentities,
  deleteConnection,
  distrustSteps,
  endEntries,
  findConnection,
  insertConnection,
  listConnections,
  moveIdentities,
  updateConnection,
  updateUnchanged,
} from './data.ts';
import { providerKindOf, servesEveryCompany } from './rules.ts';
import { listProvenDomains } from '#server/company-sign-in/data.ts';
import { askForPasswordLinks } from '#server/company-sign-in/password-links.ts';
import { isLoopback } from '#server/config-readers.ts';
import { type Db, type Tx, transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { seal, unseal } from '#server/keys.ts';
import { fillWords } from '#server/mail/frame.ts';

export const CONNECTION_SEAL = 'company connection';
const sealSecret = ({ keys }: Deps, id: ConnectionId, secret: string) =>
  seal(keys, CONNECTION_SEAL, secret, String(id));

/** The secrets of a connection, in the order in which they are tried. */
export const secretsOf = ({ keys }: Deps, { id, sealedSecret, nextSealedSecret }: Connection) =>
  [sealedSecret, nextSealedSecret].flatMap((secret) =>
    secret ? [unseal(keys, CONNECTION_SEAL, secret, String(id))] : [],
  );

/** The same as social sign-in knows a provider. */
export const providerOf = ({ issuer, clientId }: Connection, clientSecret: string) => ({
  clientId,
  clientSecret,
  at: { issuer: new URL(issuer) },
});

export const redirectUrlOf = ({ config }: Pick<Deps, 'config'>, id: ConnectionId) =>
  new URL(`/api/auth/company/${id}`, config.publicUrl);

/** The organization of a connection. */
export const findOrgIdOf = async ({ sql }: Pick<Deps, 'sql'>, id: ConnectionId) =>
  (await findConnection(sql, id))?.orgId;

async function show(sql: Db, deps: Deps, connection: Connection): Promise<CompanyConnection> {
  const {
    sealedSecret,
    nextSealedSecret,
    orgId: _,
    organization: _o,
    urlName: _u,
    toldDays: _t,
    ...rest
  } = connection;
  const redirectUrl = redirectUrlOf(deps, connection.id).href;
  return {
    ...rest,
    kind: providerKindOf(connection.issuer),
    redirectUrl,
    logoutUrl: `${redirectUrl}/logout`,
    hasSecret: sealedSecret !== null,
    hasNextSecret: nextSealedSecret !== null,
    linked: await countIdentities(sql, connection.id),
  };
}

export const listConnectionsOf = async (deps: Deps, scope: SuperAdmin) =>
  (await refuseOthers(deps, scope)) ??
  Promise.all(
    (await listConnections(deps.sql, scope.orgId)).map((connection) => show(deps.sql, deps, connection)),
  );

async function get(tx: Tx, deps: Deps, id: ConnectionId) {
  const connection = await findConnection(tx, id);
  if (!connection) throw new Error('the connection is gone');
  return show(tx, deps, connection);
}

export const addConnection = settingsChange(async ({ tx, deps, orgId }) => {
  if ((await listProvenDomains(tx, orgId)).length === 0) return refuse('domain_not_found');
  const all = await listConnections(tx, orgId);
  if (all.some(({ isOn }) => !isOn)) return refuse('changed_meanwhile');
  const id = await insertConnection(tx, orgId, deps.clock.now());
  const answer = await get(tx, deps, id);
  return { act: 'organization.companyConnection.create', recordId: id, information: {}, answer };
});

/** The same for one connection. */
const connectionChange = <Asked extends { readonly id: ConnectionId }, Answer, R extends RefusalName = never>(
  run: (
    change: Change<SuperAdmin>,
    before: Connection,
    asked: Asked,
  ) => Promise<SettingsDone<Answer> | Refusal<R>>,
) =>
  settingsChange<Asked, Answer, R | 'connection_not_found'>(async (change, asked) => {
    const before = await findConnection(change.tx, asked.id, change.orgId);
    return before ? run(change, before, asked) : refuse('connection_not_found');
  });

const bad = (fields: Record<string, string>) => refuse('invalid_input', { fields });

/** The refusal of an issuer that nobody could be sure of. */
function whyNoIssuer(issuer: string, isProduction: boolean) {
  if (!URL.canParse(issuer)) return bad({ issuer: companyFieldText.issuer });
  const { protocol, hostname, username, search, hash } = new URL(issuer);
  const isLocal = protocol === 'http:' && isLoopback(hostname) && !isProduction;
  if ((protocol !== 'https:' && !isLocal) || username || search || hash)
    return bad({ issuer: companyFieldText.issuer });
  return servesEveryCompany(issuer) ? bad({ issuer: companyFieldText.issuerOfAll }) : undefined;
}

type Names = Parameters<NonNullable<SettingsDone<unknown>['news']>>[0];
type Settings = Input<typeof companyConnections.change>;
/** Settings as the log writes them, without secrets. */
const logFields = (connection: Connection, role: string | null) => ({
  issuer: connection.issuer,
  client_id: connection.clientId,
  secret_ends: connection.secretEnds?.toISOString() ?? null,
  declares_step: connection.declaresStep,
  role,
});

export const saveConnection = connectionChange(
  async ({ tx, deps, orgId, caller }, before, { id, orgId: _, ...input }: Settings) => {
    const { issuer = before.issuer, clientId = before.clientId, secret, nextSecret } = input;
    const isMoved = !namesAlike(before, { issuer, clientId });
    // People are linked to the provider that was tested.
    if (before.isOn && isMoved) return refuse('not_allowed', { details: companyFieldText.draftFirst });
    if (isMoved && (await countIdentities(tx, id)) > 0)
      return refuse('not_allowed', { details: companyFieldText.linkedFirst });
    const wrong = issuer !== before.issuer ? whyNoIssuer(issuer, deps.config.production) : undefined;
    if (wrong) return wrong;
    // Another server must not read it.
    if (isMoved && before.sealedSecret && secret === undefined)
      return bad({ secret: companyFieldText.secretAgain });
    const roleId = input.roleId === undefined ? before.roleId : input.roleId;
    const role = roleId === null ? null : await roleToGive(tx, orgId, caller, roleId);
    if (role instanceof Refusal) return role;
    const former = await roleName(tx, orgId, before.roleId);
    await updateConnection(tx, id, {
      issuer,
      client_id: clientId,
      role_id: role?.id ?? null,
      ...(isMoved && { declares_step: false, secret_ends_at: null, told_days: null }),
      ...(input.declaresStep !== undefined && { declares_step: input.declaresStep }),
      ...(input.secretEnds !== undefined && { secret_ends_at: input.secretEnds, told_days: null }),
      ...(secret !== undefined && { sealed_secret: sealSecret(deps, id, secret), next_sealed_secret: null }),
      ...(nextSecret !== undefined && { next_sealed_secret: sealSecret(deps, id, nextSecret) }),
      // Another provider, or another secret in a draft, needs a test of its own.
      ...((isMoved || (secret !== undefined && !before.isOn)) && { tested_at: null }),
    });
    if (before.declaresStep && input.declaresStep === false) await distrustSteps(tx, before);
    const after = await findConnection(tx, id);
    const edits = {
      ...changes(logFields(before, former), after ? logFields(after, role?.name ?? null) : {}),
      ...((secret !== undefined || nextSecret !== undefined) && { secret: true }),
    };
    if (Object.keys(edits).length === 0) return refuse('no_changes');
    return {
      act: 'organization.companyConnection.update',
      recordId: id,
      information: edits,
      // A draft signs nobody in.
      ...(before.isOn && { news: (names) => companyNews('connectionChanged', names) }),
      answer: await get(tx, deps, id),
    };
  },
);

/** The next secret takes the place of one that the provider refused. Nobody did it, so the row of the log names the portal. */
export const promoteNextSecret = (deps: Deps, connection: Connection) =>
  transaction(deps.sql, async (tx) => {
    const { id, orgId, nextSealedSecret } = connection;
    const change = { sealed_secret: nextSealedSecret, next_sealed_secret: null };
    const [done] = await updateUnchanged(tx, connection, change);
    if (done?.numUpdatedRows !== 1n) return;
    await recordActivity(tx, deps, 'organization.companyConnection.update', {
      orgId,
      userId: OPERATOR_ID as UserId,
      recordId: id,
      information: { secret: true },
    });
  });

async function end(tx: Tx, deps: Deps, connection: Connection) {
  if (connection.isOn) await askForPasswordLinks(tx, deps, connection);
  await endEntries(tx, connection);
}

export const switchConnection = connectionChange(
  async ({ tx, deps, orgId }, before, { id, isOn }: Input<typeof companyConnections.switchOn>) => {
    if (before.isOn === isOn) return refuse('no_changes');
    const others = await listConnections(tx, orgId);
    const other = others.find((one) => one.id !== id);
    let linksEnded = 0;
    if (isOn) {
      if (before.testedTime === null) return refuse('not_allowed', { details: companyFieldText.testFirst });
      if (other) linksEnded = await replaceBy(tx, deps, other, before);
    } else {
      if (other) return refuse('not_allowed', { details: companyFieldText.draftInTheWay });
      const ruled = await refuseUnderRule(tx, orgId);
      if (ruled) return ruled;
      await end(tx, deps, before);
    }
    await updateConnection(tx, id, { is_on: isOn });
    return {
      act: 'organization.companyConnection.update',
      recordId: id,
      information: { issuer: before.issuer, switched_on: [!isOn, isOn], ...recordedLinks(linksEnded) },
      news: newsAbout(isOn ? 'switchedOn' : 'switchedOff', before.issuer, linksEnded),
      answer: await get(tx, deps, id),
    };
  },
);

/** The mail about a connection that was switched on, off or removed, with the number of links that ended. */
function newsAbout(kind: 'switchedOn' | 'switchedOff', issuer: string, count: number) {
  const mail = companyMailText[kind];
  const { linksEnded } = companyMailText;
  return (names: Names) => ({
    kind,
    words:
      count === 0
        ? fillWords(mail, { ...names, issuer })
        : fillWords(
            { ...mail, paragraphs: { ...mail.paragraphs, 2: linksEnded } },
            { ...names, issuer, count },
          ),
  });
}
const recordedLinks = (ended: number) => (ended > 0 ? { linked: [ended, 0] as const } : {});

/** Returns how many links end. They stay if both connections name people alike. */
async function replaceBy(tx: Tx, deps: Deps, former: Connection, next: Connection): Promise<number> {
  if (namesAlike(former, next)) await moveIdentities(tx, former.id, next);
  await end(tx, deps, former);
  const linksEnded = await countIdentities(tx, former.id);
  await deleteConnection(tx, former.id);
  return linksEnded;
}

export const removeConnection = connectionChange(
  async ({ tx, deps, orgId }, before, { id, issuer }: Input<typeof companyConnections.remove>) => {
    if (before.issuer !== issuer) return refuse('changed_meanwhile');
    const ruled = before.isOn && (await refuseUnderRule(tx, orgId));
    if (ruled) return ruled;
    await end(tx, deps, before);
    const count = await countIdentities(tx, id);
    await deleteConnection(tx, id);
    return {
      act: 'organization.companyConnection.delete',
      recordId: id,
      information: { issuer, ...recordedLinks(count) },
      ...((before.isOn || count > 0) && { news: newsAbout('switchedOff', issuer, count) }),
      answer: { id },
    };
  },
);
