import { randomUUID } from 'node:crypto';
import fastifyCookie from '@fastify/cookie';
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
} from 'fastify';
import { accountDeletion } from '#contract/account-deletion.ts';
import { accounts } from '#contract/accounts.ts';
import { activity } from '#contract/activity.ts';
import { communications } from '#contract/communications.ts';
import { confirmation } from '#contract/confirmation.ts';
import { deletion } from '#contract/deletion.ts';
import { drive } from '#contract/drive.ts';
import { refuse } from '#contract/errors.ts';
import { CODE_MINUTES, JSON_BODY_MAX_BYTES, KNOWN_DEVICE_DAYS } from '#contract/limits.ts';
import { members } from '#contract/members.ts';
import { onward } from '#contract/onward.ts';
import { redeeming } from '#contract/redeem.ts';
import { organizations, organizationSettings } from '#contract/organizations.ts';
import { profile } from '#contract/profile.ts';
import { roles } from '#contract/roles.ts';
import { secondStep } from '#contract/second-step.ts';
import { sessions } from '#contract/sessions.ts';
import { recovery } from '#contract/recovery.ts';
import { signIn } from '#contract/sign-in.ts';
import { signingOut } from '#contract/sign-out.ts';
import { social, SOCIAL_SIGN_IN_MINUTES } from '#contract/social.ts';
import { stepUp } from '#contract/step-up.ts';
import { deletionJobs, eraseDueAccounts } from '#server/accounts/deletion/jobs.ts';
import { accountDeletionRoutes, deletionRoutes } from '#server/accounts/deletion/routes.ts';
import { sweepTokens } from '#server/accounts/tokens/data.ts';
import { activityRoutes } from '#server/activity/routes.ts';
import { askForDailyAnchor, chainJobs } from '#server/activity/chain/jobs.ts';
import { accountJobs } from '#server/accounts/jobs.ts';
import type { SessionDoor } from '#server/accounts/actions.ts';
import { accountRoutes } from '#server/accounts/routes.ts';
import { fullName } from '#server/accounts/rules.ts';
import { sweepNotifications } from '#server/activity/notifications/data.ts';
import { communicationRoutes } from '#server/communications/routes.ts';
import type { Deps } from '#server/deps.ts';
import { driveJobs, sweepImages } from '#server/drive/jobs.ts';
import { driveRoutes, iconRoutes, pictureRoutes } from '#server/drive/routes.ts';
import { gather } from '#server/gather.ts';
import { clientAddress } from '#server/http/client-address.ts';
import { boundConnections, socketOptions } from '#server/http/connections.ts';
import { takeForms } from '#server/http/form-body.ts';
import type { Lookups } from '#server/http/gate.ts';
import { guardOrigin } from '#server/http/guard.ts';
import { securityHeaders } from '#server/http/headers.ts';
import { serveHealth } from '#server/http/health.ts';
import { serveMetrics } from '#server/http/metrics.ts';
import { serveDocs } from '#server/http/openapi.ts';
import { readJsonBodies } from '#server/http/json-body.ts';
import { answerRefusal, answerUnreadable, refuseErrors, refuseExpectations } from '#server/http/refusal.ts';
import { roomFor } from '#server/http/room.ts';
import { serve } from '#server/http/serve.ts';
import { asksForPage, builtWebApp, serveWebApp } from '#server/http/web-page.ts';
import type { JobHandlers, Sweep } from '#server/jobs/jobs.ts';
import { hasInbox, serveInbox } from '#server/mail/inbox.ts';
import { sha256 } from '#server/keys.ts';
import { mailJobs } from '#server/mail/outbox.ts';
import { openTransport, outboxFolder, type Transport } from '#server/mail/transports.ts';
import { askFor, findStandings } from '#server/members/standing/data.ts';
import { directoryRoutes } from '#server/members/directory/routes.ts';
import { invitationRoutes } from '#server/members/invitations/routes.ts';
import { firstPasswordDoor } from '#server/members/joining/actions.ts';
import { joiningJobs } from '#server/members/joining/jobs.ts';
import { joiningRoutes } from '#server/members/joining/routes.ts';
import { memberRoutes } from '#server/members/routes.ts';
import { organizationRoutes, organizationSettingsRoutes } from '#server/organizations/routes.ts';
import { confirmNewAddress } from '#server/profile/contact/actions.ts';
import { contactJobs } from '#server/profile/contact/jobs.ts';
import { contactRoutes, restoreRoutes } from '#server/profile/contact/routes.ts';
import { passwordRoutes } from '#server/profile/password/routes.ts';
import { profileRoutes } from '#server/profile/routes.ts';
import { roleJobs } from '#server/roles/jobs.ts';
import { roleRoutes } from '#server/roles/routes.ts';
import { usesNoted } from '#server/sessions/actions.ts';
import { findCallers, sweepSessions } from '#server/sessions/data.ts';
import { beaconRoutes, sessionRoutes } from '#server/sessions/routes.ts';
import { isRecentProof } from '#server/sessions/rules.ts';
import { openIn } from '#server/sign-in/actions.ts';
import { sweepChallenges } from '#server/sign-in/challenge/data.ts';
import { forgetDevices, sweepDevices } from '#server/sign-in/data.ts';
import { sweepCodes } from '#server/sign-in/onward/data.ts';
import { onwardRoutes } from '#server/sign-in/onward/routes.ts';
import { endEverything } from '#server/sign-in/recovery/actions.ts';
import { recoveryJobs } from '#server/sign-in/recovery/jobs.ts';
import { recoveryRoutes } from '#server/sign-in/recovery/routes.ts';
import { signInRoutes } from '#server/sign-in/routes.ts';
import { stepUpRoutes } from '#server/sign-in/step-up/routes.ts';
import { openSocial } from '#server/social/actions.ts';
import { sweepVisits } from '#server/social/data.ts';
import { serveReturns, socialRoutes } from '#server/social/routes.ts';

/** What the gate asks of features on every call; what one turn of the event loop asks for is one query. */
function lookupsOf(deps: Deps): Lookups {
  const findSession = gather((hashes: readonly string[]) => findCallers(deps, hashes));
  const standingOf = gather((asked: readonly string[]) => findStandings(deps.sql, asked));
  const noteUse = usesNoted(deps);
  const findCaller: Lookups['findCaller'] = async (token) => {
    const row = await findSession(sha256(token).toString('hex'));
    if (!row) return null;
    await noteUse(row);
    const { userId, sessionId, email, authenticated, confirmed } = row;
    return {
      userId,
      sessionId,
      email,
      authenticatedAt: new Date(authenticated),
      fullName: fullName(row),
      confirmed,
    };
  };
  return {
    findCaller,
    isRecent: ({ authenticatedAt }) =>
      isRecentProof(authenticatedAt, deps.clock.now(), deps.config.reauthWindowMinutes),
    findStanding: async (userId, orgId) => (await standingOf(askFor(userId, orgId))) ?? null,
    countUpload: (userId) => deps.limiter.take('uploadsHour', `user ${userId}`),
  };
}

/** Every kind of job and who does it. */
export const jobHandlers = (deps: Deps, transport: Transport = openTransport(deps.config)): JobHandlers => ({
  ...mailJobs(transport),
  ...accountJobs,
  ...recoveryJobs,
  ...joiningJobs,
  ...roleJobs,
  ...driveJobs,
  ...contactJobs,
  ...deletionJobs,
  ...chainJobs,
});

/** What each feature has deleted every hour, once it is over. */
export const sweeps: readonly Sweep[] = [
  ({ limiter }) => limiter.sweep(),
  sweepTokens,
  sweepSessions,
  sweepChallenges,
  sweepCodes,
  sweepDevices,
  sweepVisits,
  sweepImages,
  eraseDueAccounts,
  sweepNotifications,
  askForDailyAnchor,
];

/** The whole portal without a listener: features mounted, nothing started. */
export async function createApp(
  deps: Deps,
  logger: NonNullable<FastifyServerOptions['loggerInstance']>,
  webApp = builtWebApp,
  room = roomFor(deps.config.hashConcurrency),
) {
  const { config } = deps;
  const headers = securityHeaders(config);
  const marked = (request: FastifyRequest, reply: FastifyReply) =>
    reply.headers(headers.call).header('x-request-id', request.id);
  const app: FastifyInstance = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    frameworkErrors: (_error, request, reply) => {
      // An address that can't be decoded is one more that is not known.
      if (asksForPage(request)) return void marked(request, reply).redirect('/');
      return void answerRefusal(marked(request, reply), refuse('malformed_request'));
    },
    clientErrorHandler: answerUnreadable,
    trustProxy: config.trustedProxies.length > 0 ? config.trustedProxies : false,
    bodyLimit: JSON_BODY_MAX_BYTES,
    genReqId: () => randomUUID(),
    ...socketOptions(),
    forceCloseConnections: 'idle',
    // What still arrives on an open connection is answered; readyz has told the balancer.
    return503OnClosing: false,
    onProtoPoisoning: 'error',
  });
  app.decorate('cookieRules', {
    secure: config.publicUrl.protocol === 'https:',
    maxAgeSeconds: {
      session: config.sessionAbsoluteHours * 3600,
      challenge: CODE_MINUTES * 60,
      device: KNOWN_DEVICE_DAYS * 86_400,
      oauth: SOCIAL_SIGN_IN_MINUTES * 60,
      method: KNOWN_DEVICE_DAYS * 86_400,
    },
  });
  app.decorate('room', room);
  boundConnections(app, deps);
  refuseExpectations(app);
  app.addHook('onRequest', async (request, reply) => void marked(request, reply));
  // One line a request, the path without its query: digests stand there.
  app.addHook('onResponse', async (request, reply) => {
    const path = request.url.split('?', 1)[0];
    const ms = Math.round(reply.elapsedTime);
    request.log.info(
      { method: request.method, path, status: reply.statusCode, ms, ip: clientAddress(request) },
      'request',
    );
  });
  guardOrigin(app, config);
  refuseErrors(app);
  app.setNotFoundHandler((_request, reply) => answerRefusal(reply, refuse('not_found')));
  // A text is no form of input; only the beacon, which reads none, may carry one.
  app.removeContentTypeParser('text/plain');
  readJsonBodies(app);
  await app.register(fastifyCookie);

  serveHealth(app, deps.sql);
  serveMetrics(app, deps);
  const lookups = lookupsOf(deps);
  const door: SessionDoor = {
    open: (tx, userId, place, device) => openIn(tx, deps, userId, { place, device }),
    endAll: (tx, userId) => endEverything(tx, deps, { id: userId, confirmed_at: null }),
  };
  serve(app, { ...accounts, ...confirmation }, accountRoutes(deps, door, confirmNewAddress), lookups);
  serve(app, { ...signIn, ...secondStep, ...signingOut }, signInRoutes(deps), lookups);
  serve(app, stepUp, stepUpRoutes(deps), lookups);
  serve(app, { ...onward, ...redeeming }, onwardRoutes(deps), lookups);
  const recoveries = { ...recoveryRoutes(deps, firstPasswordDoor(deps)), ...restoreRoutes(deps) };
  serve(app, recovery, recoveries, lookups);
  const socialDoor = openSocial(deps);
  serve(app, social, socialRoutes(socialDoor), lookups);
  serveReturns(app, config, socialDoor, lookups, headers, webApp);
  const { beacon, ...devices } = sessions;
  await app.register(async (anyBody) => {
    anyBody.removeAllContentTypeParsers();
    anyBody.addContentTypeParser('*', (_request, payload, done) => {
      payload.resume();
      done(null);
    });
    serve(anyBody, { beacon }, beaconRoutes, lookups);
  });
  serve(app, devices, sessionRoutes(deps, forgetDevices), lookups);
  serve(
    app,
    members,
    { ...directoryRoutes(deps), ...invitationRoutes(deps), ...joiningRoutes(deps), ...memberRoutes(deps) },
    lookups,
  );
  serve(app, organizations, organizationRoutes(deps), lookups);
  const settings = { ...organizationSettingsRoutes(deps), ...iconRoutes(deps) };
  serve(app, organizationSettings, settings, lookups);
  serve(app, roles, roleRoutes(deps), lookups);
  serve(app, profile, { ...profileRoutes(deps), ...contactRoutes(deps), ...passwordRoutes(deps) }, lookups);
  // What comes with a JSON body stays outside of where forms are taken.
  const { removePicture, ...forms } = drive;
  serve(app, { removePicture }, pictureRoutes(deps), lookups);
  serve(app, communications, communicationRoutes(deps), lookups);
  await app.register(async (uploads) => {
    takeForms(uploads);
    serve(uploads, forms, driveRoutes(deps), lookups);
  });
  serve(app, deletion, deletionRoutes(deps), lookups);
  serve(app, accountDeletion, accountDeletionRoutes(deps), lookups);
  serve(app, activity, activityRoutes(deps), lookups);
  serveDocs(app, config.publicUrl, headers);
  if (hasInbox(config)) serveInbox(app, outboxFolder(config), headers.plain);
  await serveWebApp(app, config, headers, lookups, webApp);
  return app;
}
