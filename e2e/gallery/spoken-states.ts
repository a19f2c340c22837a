import { invite } from '../colleagues.ts';
import { expect, PASSWORD } from '../fixtures.ts';
import { team } from './settings-states.ts';
import { states } from './states.ts';
import { dialog, open, type Reach, reachOf, refuse, signInAs, type Step } from './steps.ts';

const click =
  (selector: string): Reach =>
  ({ page }) =>
    page.locator(selector).last().click();
/** Calls from a browser that the portal does not know. */
const sends =
  (path: string, data: object): Reach =>
  async ({ page, language }) => {
    await page.context().clearCookies();
    const all = { ...data, password: PASSWORD, timezone: 'Europe/Stockholm' };
    await page.request.post(path, { data: all, headers: { 'accept-language': language } });
  };
/** Has a mail sent to an address, and shows it. */
const mail =
  (name: string, send: (to: string) => Step, page: string): Reach =>
  async (stage) => {
    const to = `${name}@northwind.example`.replace('*', stage.language.toLowerCase());
    await reachOf(send(to))(stage);
    let html = '';
    const newest = async () => (html = (await stage.portal.mails(to)).at(-1)?.html ?? '');
    await expect.poll(newest).toMatch(new RegExp(`lang="${stage.language}"[^]*/${page}\\?`));
    await stage.page.setContent(html);
  };
const signIn = (email_id: string): Step => [signInAs('lena'), sends('/api/signin', { email_id })];
const signUp = (emailId: string) => sends('/api/signup', { emailId });
const inviteTo = (email: string): Step => [
  signInAs('otto'),
  ({ page, language }) => invite(page, 'Aiko Mori', 'Admin', '', email, language),
];

const pages =
  'home--open signup--empty login--empty otp--typing authorize--consent myapps--open myprofile--open ' +
  'members--table recentactivity--open devices--several webhooks--troubled';
/** The most seen pages, dialogs and mails, for a stage of any language. */
export const spokenStates: Record<string, Step> = {
  ...Object.fromEntries(pages.split(' ').map((name) => [name, states[name] ?? []])),
  notifications: [
    signIn('lena@northwind.example'),
    open('/'),
    click('header [aria-haspopup=dialog]'),
    dialog(''),
  ],
  invite: [team, click('button:has(.lucide-user-plus)'), dialog('')],
  proof: [
    [refuse('/api/mfa', 'reauthentication_required'), states['myprofile--open'] ?? []],
    [click('#ways-in li:first-child button'), click('[role=alertdialog] button')],
    ({ page }) => page.locator('[role=dialog] [type=password]').waitFor(),
  ],
  'mail-confirm': mail('new-*', signUp, 'verifyemail'),
  'mail-invited': mail('invited-*', inviteTo, 'invitation'),
  'mail-new-device': mail('lena', signIn, 'notme'),
};

const branded =
  'signup--empty login--empty authorize--consent myapps--open myprofile--open organization--open ' +
  'recentactivity--open invite otp--typing failed--public-page mail-confirm mail-new-device';
/** Ten pages and two mails, for a stage under a brand. */
export const brandStates = Object.fromEntries(
  branded.split(' ').map((name) => [name, spokenStates[name] ?? states[name] ?? []]),
);
