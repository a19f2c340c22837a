// Puts all features together into one portal that does not listen yet, for the start and for tests.
import { randomUUID } from 'node:crypto';
import fastifyCookie from '@fastify/cookie';
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
} from 'fastify';
import { api } from '#contract/api.ts';
import { refuse } from '#contract/errors.ts';
import {
  CHALLENGE_MINUTES,
  JSON_BODY_MAX_BYTES,
  KNOWN_DEVICE_DAYS,
  PASSKEY_MINUTES,
} from '#contract/limits.ts';
import { whyNoEntry } from '#server/access/rules.ts';
import { personName } from '#contract/profile/person-name.ts';
import { SOCIAL_SIGN_IN_MINUTES } from '#contract/social/calls.ts';
import { COMPANY_VISIT_MINUTES } from '#contract/company-sign-in/visits.ts';
import { connectionRoutes } from '#server/company-sign-in/connections/routes.ts';
import { openLogouts } from '#server/company-sign-in/logout/actions.ts';
import { openOffers } from '#server/company-sign-in/logout/offers.ts';
import { serveCompanyLogouts, signOutOffers } from '#server/company-sign-in/logout/routes.ts';
import { openVisits } from '#server/company-sign-in/visits/actions.ts';
import { attemptRoutes, serveCompanyReturns, visitRoutes } from '#server/company-sign-in/visits/routes.ts';
import { companyRuleRoutes } from '#server/company-sign-in/rule/routes.ts';
import { domainRoutes } from '#server/company-sign-in/domains/routes.ts';
import { directoryTokenRoutes, serveScim } from '#server/company-sign-in/scim/routes.ts';
import { joinRequestRoutes } from '#server/company-sign-in/join-requests/routes.ts';
import { deletionRoutes } from '#server/accounts/deletion/routes.ts';
import { activityRoutes } from '#server/activity/routes.ts';
import type { SessionPort } from '#server/accounts/actions.ts';
import type { EndSessionsPort } from '#server/accounts/confirmation/actions.ts';
import { confirmationRoutes } from '#server/accounts/confirmation/routes.ts';
import { accountRoutes } from '#server/accounts/routes.ts';
import { communicationRoutes } from '#server/communications/routes.ts';
import type { Deps } from './deps.ts';
import { dataExportRoutes } from '#server/data-export/routes.ts';
import { driveRoutes, jsonDriveRoutes } from '#server/drive/routes.ts';
import { registryOf } from '#server/applications/authorization.ts';
import {
  applicationRoutes,
  connectedRoutes,
  applicationIconRoutes,
  ownApplicationRoutes,
  applicationSignOutRoutes,
} from '#server/applications/routes.ts';
import { serveProvider } from '#server/applications/routes-provider.ts';
import { serveBrand } from '#server/brand/serve.ts';
import { batchPerTick } from './batch-per-tick.ts';
import { SECOND_MS } from './clock.ts';
import { guardedFetch, organizationsReach } from './guarded-requests.ts';
import { proxiesOf } from '#server/http/client-address.ts';
import { demandBounds } from '#server/http/bounds.ts';
import { serveReports } from '#server/http/csp-reports.ts';
import { takeForms } from '#server/http/form-body.ts';
import type { Lookups } from '#server/http/gate.ts';
import { speakLanguages } from '#server/http/language.ts';
import { guardOrigin } from '#server/http/guard.ts';
import { securityHeaders } from '#server/http/headers.ts';
import { serveHealth } from '#server/http/health.ts';
import { serveMetrics } from '#server/http/metrics.ts';
import { serveDocs } from '#server/http/docs-page.ts';
import { readJsonBodies } from '#server/http/json-body.ts';
import { logRequests } from '#server/http/request-log.ts';
import { answerRefusal, answerUnreadable, refuseErrors, refuseExpectations } from '#server/http/refusal.ts';
import { admissionFor } from '#server/http/admission.ts';
import { originOf, serve } from '#server/http/serve.ts';
import { asksForPage, builtWebApp, serveWebApp } from '#server/http/web-page.ts';
import { hasInbox, serveInbox } from '#server/mail/inbox.ts';
import { isPerson, sha256 } from './keys.ts';
import { outboxFolder } from '#server/mail/transports.ts';
import { standingKey, findStandings } from '#server/members/standing/data.ts';
import { workFor } from './origin.ts';
import { mountActs } from '#server/operator/desk/routes.ts';
import { deskDoor, hideDesk, serveDesk } from '#server/operator/entry/routes.ts';
import { firstPasswordPort } from '#server/members/joining/actions.ts';
import { memberRoutes } from '#server/members/routes.ts';
import {
  secondStepRuleRoutes,
  organizationRoutes,
  organizationSettingsRoutes,
} from '#server/organizations/routes.ts';
import { confirmNewAddress } from '#server/profile/contact/actions.ts';
import { profileRoutes } from '#server/profile/routes.ts';
import { roleRoutes } from '#server/roles/routes.ts';
import { usesNoted } from '#server/sessions/actions.ts';
import { findCallers, hasSession, sessionStands } from '#server/sessions/data.ts';
import { beaconRoutes, sessionRoutes } from '#server/sessions/routes.ts';
import { isRecentlyProven, servesAccount } from '#server/access/data.ts';
import { openDeviceSession } from '#server/sign-in/completion/actions.ts';
import { passkeySignInRoutes } from '#server/sign-in/passkey-sign-in/routes.ts';
import {
  passkeyRoutes,
  onwardRoutes,
  authenticatorRoutes,
  recoveryCodeRoutes,
  rememberedRoutes,
  signInRoutes,
  waysInRoutes,
  stepUpRoutes,
} from '#server/sign-in/routes.ts';
import { secondStepRoutes } from '#server/sign-in/second-step/routes.ts';
import { forgetDevices } from '#server/sign-in/devices/data.ts';
import { endEverything } from '#server/sign-in/recovery/actions.ts';
import { recoveryRoutes } from '#server/sign-in/recovery/routes.ts';
import { openSocial } from '#server/social/actions.ts';
import { openConversations } from '#server/social/provider/providers.ts';
import { serveReturns, socialRoutes } from '#server/social/routes.ts';
import { deliveryRoutes, webhookRoutes } from '#server/webhooks/routes.ts';

/** The gate's lookups for each call. Lookups of one turn of the event loop become one query. */
function lookupsOf(deps: Deps): Lookups {
  const findSession = batchPerTick((hashes: readonly string[]) => findCallers(deps, hashes));
  const standingOf = batchPerTick((keys: readonly string[]) => findStandings(deps.sql, keys));
  const noteUse = usesNoted(deps);
  const sessionOf = (token: string) => findSession(sha256(token).toString('hex'));
  const callerOf = async (row: Awaited<ReturnType<typeof sessionOf>>) => {
    if (!row) return null;
    await noteUse(row);
    const { userId, sessionId, email, confirmed, secondStep, proven, entered, enteredWithStep } = row;
    const proofs = { secondStep, proven, entered, enteredWithStep };
    const authenticatedAt = new Date(row.authenticated);
    const fullName = personName(row.first_name, row.last_name, email);
    return { userId, sessionId, email, authenticatedAt, fullName, confirmed, ...proofs };
  };
  return {
    findCaller: async (token) => callerOf(await sessionOf(token)),
    findCallerNamed: async (token, person) => {
      const row = await sessionOf(token);
      return row && !isPerson(deps.keys, row.userId, person) ? refuse('signed_in_as_another') : callerOf(row);
    },
    standsNow: ({ sessionId }) => sessionStands(deps.sql, sessionId),
    standsIn: (tx, { sessionId }) => hasSession(tx, sessionId),
    isRecent: (caller) => isRecentlyProven(deps.sql, deps, caller),
    findStanding: async (userId, orgId) => (await standingOf(standingKey(userId, orgId))) ?? null,
    whyNoEntry: (caller, standing) => whyNoEntry(standing, caller, deps.clock.now()),
    servesAccount: (caller) => servesAccount(deps.sql, caller),
    countUpload: (userId) => deps.limiter.take('uploadsHour', `user ${userId}`),
  };
}

/** The whole portal without a listener: features mounted, nothing started. */
export async function createApp(
  deps: Deps,
  logger: NonNullable<FastifyServerOptions['loggerInstance']>,
  webApp = builtWebApp,
  admission = admissionFor(deps.config.hashConcurrency),
) {
  const { config } = deps;
  const headers = securityHeaders(config);
  const withHeaders = (request: FastifyRequest, reply: FastifyReply) =>
    reply.headers(headers.call).header('x-request-id', request.id);
  const app: FastifyInstance = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    frameworkErrors: (_error, request, reply) => {
      // A person who opens an undecodable address is redirected home, as from an unknown one.
      if (asksForPage(request)) return void withHeaders(request, reply).redirect('/');
      return void answerRefusal(withHeaders(request, reply), refuse('malformed_request'));
    },
    clientErrorHandler: answerUnreadable,
    trustProxy: config.trustedProxies.length > 0 ? proxiesOf(config.trustedProxies) : false,
    bodyLimit: JSON_BODY_MAX_BYTES,
    genReqId: () => randomUUID(),
    // A proxy ends slow heads and idle clients; a body that trickles in through it ends here.
    requestTimeout: 30 * SECOND_MS,
    keepAliveTimeout: 30 * SECOND_MS,
    // Shows a second Host or Content-Type instead of ignoring it: a proxy before us may have used that one.
    http: { connectionsCheckingInterval: SECOND_MS, joinDuplicateHeaders: true },
    forceCloseConnections: 'idle',
    // Requests on open connections are answered during a shutdown; the balancer sends no new ones.
    return503OnClosing: false,
    onProtoPoisoning: 'error',
  });
  app.decorate('cookieRules', {
    secure: config.publicUrl.protocol === 'https:',
    maxAgeSeconds: {
      session: config.sessionAbsoluteHours * 3600,
      challenge: CHALLENGE_MINUTES * 60,
      device: KNOWN_DEVICE_DAYS * 86_400,
      oauth: SOCIAL_SIGN_IN_MINUTES * 60,
      company: COMPANY_VISIT_MINUTES * 60,
      left: COMPANY_VISIT_MINUTES * 60,
      method: KNOWN_DEVICE_DAYS * 86_400,
      passkey: PASSKEY_MINUTES * 60,
    },
  });
  app.decorate('admission', admission);
  refuseExpectations(app);
  app.addHook('onRequest', async (request, reply) => void withHeaders(request, reply));
  // On every route, because any may write to the activity log. After the body, whose context differs.
  app.addHook('preHandler', (request, _reply, done) => workFor({ origin: originOf(request) }, done));
  // The rest of a refused body is dropped for a moment, so that the answer arrives. Then the connection ends.
  app.addHook('onResponse', async ({ raw }) => {
    if (!raw.complete) setTimeout(() => raw.complete || raw.destroy(), SECOND_MS).unref();
  });
  logRequests(app, config);
  await app.register(fastifyCookie);
  const lookups = lookupsOf(deps);
  const mayEnterDesk = deskDoor(deps, lookups);
  hideDesk(app, mayEnterDesk);
  guardOrigin(app, config);
  refuseErrors(app);
  app.setNotFoundHandler((_request, reply) => answerRefusal(reply, refuse('not_found')));
  // No call takes plain text; only the beacon, which ignores its body, may carry some.
  app.removeContentTypeParser('text/plain');
  readJsonBodies(app);
  speakLanguages(app, config);
  demandBounds(app);
  serveHealth(app, deps.sql);
  serveBrand(app, deps.brands, headers);
  serveMetrics(app, deps);
  await serveReports(app, deps);
  const sessionPort: SessionPort = {
    open: (tx, userId, client, device) =>
      openDeviceSession(tx, deps, userId, { client, device, methods: ['pwd'] }),
  };
  const endAll: EndSessionsPort['endAll'] = (tx, id) => endEverything(tx, deps, { id, confirmed_at: null });
  const confirming = confirmationRoutes(deps, { endAll }, confirmNewAddress);
  serve(app, api.accounts, { ...accountRoutes(deps, sessionPort), ...confirming }, lookups);
  serve(app, api.signIn, { ...signInRoutes(deps), ...secondStepRoutes(deps) }, lookups);
  serve(app, api.waysIn, waysInRoutes(deps), lookups);
  serve(app, api.passkeys, { ...passkeyRoutes(deps), ...passkeySignInRoutes(deps) }, lookups);
  serve(app, api.authenticator, authenticatorRoutes(deps), lookups);
  serve(app, api.recoveryCodes, recoveryCodeRoutes(deps), lookups);
  serve(app, api.rememberedBrowsers, rememberedRoutes(deps), lookups);
  serve(app, api.stepUp, stepUpRoutes(deps), lookups);
  serve(app, api.onward, onwardRoutes(deps), lookups);
  serve(app, api.recovery, recoveryRoutes(deps, firstPasswordPort(deps)), lookups);
  const socialSignIn = openSocial(deps);
  serve(app, api.social, socialRoutes(socialSignIn), lookups);
  serveReturns(app, socialSignIn, lookups, headers, webApp);
  const { beacon, ...devices } = api.sessions;
  await app.register(async (anyBody) => {
    anyBody.removeAllContentTypeParsers();
    anyBody.addContentTypeParser('*', (_request, _payload, done) => done(null));
    serve(anyBody, { beacon }, beaconRoutes, lookups);
  });
  serveDesk(app, deps, lookups, mountActs);
  serve(app, devices, sessionRoutes(deps, forgetDevices), lookups);
  serve(app, api.members, memberRoutes(deps), lookups);
  serve(app, api.organizations, organizationRoutes(deps), lookups);
  const ofSettings = { ...organizationSettingsRoutes(deps), ...secondStepRuleRoutes(deps) };
  serve(app, api.organizationSettings, ofSettings, lookups);
  serve(app, api.roles, roleRoutes(deps), lookups);
  serve(app, api.profile, profileRoutes(deps), lookups);
  serve(app, api.communications, communicationRoutes(deps), lookups);
  // Only these calls take forms; all others have a JSON body.
  const { removePicture, setIcon, ...forms } = api.drive;
  serve(app, { removePicture, setIcon }, jsonDriveRoutes(deps), lookups);
  await app.register(async (uploads) => {
    takeForms(uploads);
    serve(uploads, forms, { ...driveRoutes(deps), ...applicationIconRoutes(deps) }, lookups);
  });
  serve(app, api.accountDeletion, deletionRoutes(deps), lookups);
  serve(app, api.dataExport, dataExportRoutes(deps), lookups);
  serve(app, api.activity, activityRoutes(deps), lookups);
  const ofApplications = {
    ...applicationRoutes(deps),
    ...applicationSignOutRoutes(deps),
    ...connectedRoutes(deps),
    ...ownApplicationRoutes(deps),
  };
  serve(app, api.applications, ofApplications, lookups);
  const conversations = openConversations(deps, guardedFetch(organizationsReach(config)));
  const visits = openVisits(deps, conversations);
  serveCompanyReturns(app, deps, visits, lookups, headers, webApp);
  await serveCompanyLogouts(app, deps, openLogouts(deps, conversations));
  const ofVisits = { ...visitRoutes(deps, visits), ...signOutOffers(deps, openOffers(deps, conversations)) };
  serve(app, api.companyVisits, ofVisits, lookups);
  const ofConnections = { ...connectionRoutes(deps), ...attemptRoutes(deps, visits) };
  serve(app, api.companyConnections, ofConnections, lookups);
  serve(app, api.companyRules, companyRuleRoutes(deps), lookups);
  serve(app, api.companyDomains, domainRoutes(deps), lookups);
  serve(app, api.companyDirectory, directoryTokenRoutes(deps), lookups);
  await serveScim(app, deps);
  serve(app, api.joinRequests, joinRequestRoutes(deps), lookups);
  serve(app, api.webhooks, { ...webhookRoutes(deps), ...deliveryRoutes(deps) }, lookups);
  await serveProvider(app, deps, lookups);
  serveDocs(app, config.publicUrl, headers);
  if (hasInbox(config)) serveInbox(app, outboxFolder(config), headers.plain);
  await serveWebApp(app, config, headers, lookups, registryOf(deps), webApp, mayEnterDesk);
  return app;
}
