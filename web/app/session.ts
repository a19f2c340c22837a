import type { Input, Output } from '#contract/endpoint.ts';
import { organizations } from '#contract/organizations.ts';
import { signIn } from '#contract/sign-in.ts';
import { signingOut } from '#contract/sign-out.ts';
import { areaText } from '#contract/text/area.ts';
import type { OrgId } from '#contract/wire.ts';
import { call, CallError } from '#web/lib/call.ts';
import { sessionEnded } from '#web/lib/kept.ts';
import { goTo } from '#web/lib/navigate.ts';
import { noteStatusFailure, statusFailedLately } from '#web/lib/status-failure.ts';
import { forgetUnsaved } from '#web/lib/unsaved.ts';
import { shutOutOf } from './storage.ts';
import { afterInitFailure, isAreaPath, organizationIn, type Recovery } from './landing.ts';

/** Everything the area opens with. */
export type Session = Output<typeof organizations.init>;

/** Whether this person is asked to confirm their address. */
export const isToConfirm = ({ confirmed, email }: Session['user']) => !confirmed && email !== null;

/** Who is signed in and in which organization, as the address asks; the page is left where there is nobody. */
export async function openSession(path: string): Promise<Session> {
  await checkStatus(path);
  try {
    return await initFor(path);
  } catch (failure) {
    if (!(failure instanceof CallError)) throw failure;
    return await recover(afterInitFailure(failure.code, path), failure);
  }
}

/** Looks again while the area is open: only the end of the session then changes what is on the screen. */
export const refreshSession = ({ current }: Session): Promise<Session> =>
  call(organizations.init, current ? { orgId: current.id } : {});

async function checkStatus(path: string) {
  const signedIn = await call(signIn.status, {}).catch(statusFailed);
  if (signedIn === null) await recover(isAreaPath(path) ? 'login' : 'root');
}

/** Leads to sign-up once; if that led straight back here, the person is told instead. */
function statusFailed(failure: unknown) {
  const again = statusFailedLately();
  noteStatusFailure();
  return recover(again ? 'error' : 'signUp', failure);
}

async function initFor(path: string): Promise<Session> {
  const asked = organizationIn(path);
  const init = (input: Input<typeof organizations.init>) => call(organizations.init, input);
  if (asked === undefined) return init({});
  if ('id' in asked) return init({ orgId: asked.id as OrgId });
  const session = await init({});
  const other = session.others.find((organization) => organization.urlName === asked.urlName);
  return other === undefined ? session : init({ orgId: other.id });
}

/** Leads away by a full load and never comes back, or passes the failure on to whoever shows it. */
async function recover(recovery: Recovery, failure?: unknown): Promise<never> {
  switch (recovery) {
    case 'login':
      goToLogin({ replace: true });
      break;
    case 'signUp':
      goTo('/signup', { replace: true });
      break;
    case 'root':
      goTo('/', { replace: true });
      break;
    case 'signOut':
      await signOut();
      break;
    case 'error':
      throw failure;
  }
  return stayWhileLeaving();
}

/** To where else one belongs, with a word why: this organization is not the person's any more. */
export function leaveShutOut(name: string | undefined) {
  shutOutOf.keep(name);
  forgetUnsaved();
  goTo('/', { replace: true });
}

/** The browser is on its way to another document: nothing here should go on meanwhile. */
export const stayWhileLeaving = () => new Promise<never>(() => {});

/** To the login page, which leads back here; `replace` where no page was shown that one could go back to. */
function goToLogin(how?: { replace: boolean }) {
  const here = `${location.pathname}${location.search}`;
  goTo(`/login?redirectpath=${encodeURIComponent(here)}`, how);
}

/** The session is over, here or from elsewhere: what is not saved can't be any more. */
export function leaveEnded() {
  sessionEnded.keep(areaText.sessionEnded);
  forgetUnsaved();
  goToLogin();
}

/** To the login page, from which one lands in the area again; whose session has ended already is no less signed out. */
export async function signOut() {
  await call(signingOut.signOut, {}).catch((failure: CallError) => {
    if (failure.code !== 'not_signed_in') throw failure;
  });
  goTo('/login');
}
