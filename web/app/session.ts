import type { Input, Output } from '#contract/endpoint.ts';
import { organizations } from '#contract/organizations/calls.ts';
import { signIn } from '#contract/sign-in/calls.ts';
import { signingOut } from '#contract/sign-in/sign-out.ts';
import { areaText } from '#words/area.ts';
import { spokenLanguage } from '#words/language.ts';
import { isAreaPath, organizationIn } from '#contract/pages.ts';
import type { OrgId } from '#contract/wire.ts';
import { PERSON_HEADER } from '#contract/sessions/person-header.ts';
import { actFor, call, CallError, callHeaders } from '#web/lib/call.ts';
import { forgetDraft, keepDrafts } from '#web/lib/drafts.ts';
import { keptDrafts, sessionEnded, standing, tellSignedOut, whyLeft } from '#web/lib/stored-text.ts';
import { goTo, leaveFor, LEFT_COMPANY } from '#web/lib/navigate.ts';
import { noteStatusFailure, statusFailedLately } from '#web/public-pages/status-failure.ts';
import { forgetUnsaved } from '#web/lib/unsaved.ts';
import { tellOtherTabs } from './other-tabs.ts';
import { reloadedFor } from './storage.ts';
import { afterInitFailure, noEntryCodes, type Recovery } from './landing.ts';

export type Session = Output<typeof organizations.init>;

export const isToConfirm = ({ confirmed, email }: Session['user']) => !confirmed && email !== null;

/** Loads the session for the organization in the address, or leaves the page if nobody is signed in. */
export async function openSession(path: string): Promise<Session> {
  const person = await call(signIn.status, {}).catch(statusFailed);
  if (person === null) await recover(isAreaPath(path) ? 'login' : 'root');
  try {
    const session = await initFor(path);
    if (isInAnotherLanguage(session)) {
      location.reload();
      return await stayWhileLeaving();
    }
    actFor(session.person);
    forgetDraft(keptDrafts, session.person, '');
    tellOtherTabs(session);
    return session;
  } catch (failure) {
    if (!(failure instanceof CallError)) throw failure;
    return await recover(afterInitFailure(failure.code, path), failure);
  }
}

/** The call has kept the account's language, so the next page comes in it, unless the portal has stopped to speak it. */
function isInAnotherLanguage({ user: { language } }: Session): boolean {
  if (language === null || language === spokenLanguage.tag) reloadedFor.forget();
  else if (reloadedFor.read() !== language) {
    reloadedFor.keep(language);
    return reloadedFor.read() === language;
  }
  return false;
}

export const closedBySecondStep = ({ awaiting = [] }: Session) => awaiting.filter(({ isClosed }) => isClosed);

/** Only the session's end leads away. An opened organization is not entered: its recovery codes may be on the screen. */
export async function refreshSession({ current, others }: Session): Promise<Session> {
  const fresh = await call(organizations.init, current ? { orgId: current.id } : {});
  if (current || others.length === 0 || !fresh.current) return fresh;
  return { ...fresh, current: null, others: [fresh.current, ...fresh.others] };
}

/** Leads to sign-up. If sign-up has just led back here, shows the error instead of a loop. */
function statusFailed(failure: unknown) {
  const isRepeated = statusFailedLately();
  noteStatusFailure();
  return recover(isRepeated ? 'error' : 'signUp', failure);
}

const waitingIn = (session: Session) =>
  [...closedBySecondStep(session), ...(session.needsEntry ?? [])].map(({ urlName }) => urlName);

async function initFor(path: string): Promise<Session> {
  const address = organizationIn(path);
  const init = (input: Input<typeof organizations.init>) => call(organizations.init, input);
  if (address === undefined) {
    const session = await init({});
    // Before the account's proof the default organization may be a hidden one, while the company's is open.
    const open = session.others.find((one) => !waitingIn(session).includes(one.urlName));
    return session.current === null && session.user.isReduced && open ? init({ orgId: open.id }) : session;
  }
  if ('id' in address)
    return init({ orgId: address.id as OrgId }).catch((failure: CallError) => {
      if (!noEntryCodes.includes(failure.code)) throw failure;
      return init({});
    });
  const session = await init({});
  if (waitingIn(session).includes(address.urlName)) return session;
  const other = session.others.find((organization) => organization.urlName === address.urlName);
  return other === undefined ? session : init({ orgId: other.id });
}

/** Leads away by a full load and never settles, or throws the failure for its caller to show. */
async function recover(recovery: Recovery, failure?: unknown): Promise<never> {
  if (recovery === 'error') throw failure;
  if (recovery === 'signOut') await signOut();
  else if (recovery === 'login') goToLogin({ replace: true });
  else if (recovery === 'signUp') goTo('/signup', { replace: true });
  else if (failure instanceof CallError && noEntryCodes.includes(failure.code)) goTo('/', { replace: true });
  else leaveNowhere(location.pathname);
  return stayWhileLeaving();
}

/** A person whom a company directory deactivates loses the session, too, and the public page at `/` would say nothing. */
export async function leaveShutOut(name: string | undefined) {
  const person = await call(signIn.status, {}).catch(() => undefined);
  if (person === null) leaveEnded();
  else leaveSaying(name === undefined ? name : areaText.shutOut({ name }));
}

export function leaveClosed(urlName: string | undefined) {
  forgetUnsaved();
  const path = `/${urlName ?? ''}`;
  goTo(location.pathname.startsWith(`${path}/`) ? location.pathname : path, { replace: true });
}

/** Never settles, so that nothing continues while the browser loads another document. */
export const stayWhileLeaving = () => new Promise<never>(() => {});

/** Goes to the login page, which leads back here. `replace` this page if it never showed. */
function goToLogin(how?: { replace: boolean }) {
  const here = `${location.pathname}${location.search}${location.hash}`;
  goTo(`/login?redirectpath=${encodeURIComponent(here)}`, how);
}

/** The session has ended, here or elsewhere, so unsaved changes cannot be saved any more. */
export function leaveEnded() {
  sessionEnded.keep(areaText.sessionEnded);
  // A person who signed out, here or in another tab, wants to leave nothing behind.
  if (standing.read() !== '') keepDrafts(keptDrafts, callHeaders[PERSON_HEADER] ?? '');
  forgetUnsaved();
  goToLogin();
}

/** Somebody else has signed in with this browser. The area reloads for them and says why. */
export const leaveToAnother = () => leaveSaying(areaText.anotherPerson);

export const leaveNowhere = (path: string) =>
  leaveSaying(isAreaPath(path) ? areaText.notYours : areaText.nothingThere);

export function leaveSaying(why: string | undefined) {
  whyLeft.keep(why);
  forgetUnsaved();
  goTo('/', { replace: true });
}

/** Signs out and goes to the login page. A session that has already ended counts as signed out. */
export async function signOut() {
  const answer = await call(signingOut.signOut, {}).catch((failure: CallError) => {
    if (failure.code !== 'not_signed_in') throw failure;
  });
  tellSignedOut();
  return leaveFor(answer?.atCompany ? `/login?${LEFT_COMPANY}` : '/login');
}
