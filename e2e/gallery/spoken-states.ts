import { readFileSync } from 'node:fs';
import { languageNow } from '#server/language.ts';
import { invite } from '../colleagues.ts';
import { expect, PASSWORD } from '../fixtures.ts';
import type { Name } from './cast.ts';
import { team } from './settings-states.ts';
import { steps } from './states.ts';
import {
  dialog,
  inDialog,
  open,
  press,
  pressExactly,
  type Reach,
  reachOf,
  refuse,
  type Step,
} from './steps.ts';

/** A text of the language that the state is reached in. */
const say = (key: string) => () => {
  const catalog = readFileSync(`languages/${languageNow()}.arb`, 'utf8');
  return (JSON.parse(catalog) as Record<string, string>)[key] ?? '';
};

/** Signs in as a person whose account has this language. */
const speaking =
  (name: Name, first_name: string): Reach =>
  async ({ as, page }) => {
    await as(name);
    await page.request.put('/api/user', { data: { first_name, language: languageNow() } });
  };
const mayaAt = (name: string): Step => [speaking('maya', 'Maya'), steps[name] ?? []];

const email = (name: string) => `${name.toLowerCase()}@northwind.example`;
/** Calls as a person whose browser the portal does not know. */
const sends =
  (path: string, data: () => object): Reach =>
  async ({ page }) => {
    await page.context().clearCookies();
    const headers = { 'accept-language': languageNow() };
    const more = { password: PASSWORD, timezone: 'Europe/Stockholm' };
    expect((await page.request.post(path, { data: { ...more, ...data() }, headers })).ok()).toBe(true);
  };
const lenaSignsIn: Step = [
  speaking('lena', 'Lena'),
  sends('/api/signin', () => ({ email_id: email('lena') })),
];
/** Shows the newest mail to a person. */
const mail =
  (to: () => string): Reach =>
  async ({ page, portal }) => {
    let html = '';
    const newest = async () => (html = (await portal.mails(email(to()))).at(-1)?.html ?? '');
    await expect.poll(newest).toContain(`lang="${languageNow()}`);
    await page.setContent(html);
  };
const newcomer = () => `${languageNow()}.new`;

const asIs = ['home--open', 'signup--empty', 'login--empty', 'otp--typing', 'authorize--consent'];
const asMaya = ['members--table', 'recentactivity--open', 'devices--several', 'webhooks--troubled'];
/** The most seen pages, dialogs and mails, reached in the language of now. */
export const spokenStates = Object.entries<Step>({
  ...Object.fromEntries(asIs.map((name) => [name, steps[name] ?? []])),
  ...Object.fromEntries(['myapps--open', 'myprofile--open', ...asMaya].map((name) => [name, mayaAt(name)])),
  notifications: [
    lenaSignsIn,
    open('/'),
    ({ page }) => page.getByRole('banner').locator('[aria-haspopup=dialog]').last().click(),
    dialog(say('notification.title')),
  ],
  invite: [
    speaking('maya', 'Maya'),
    team,
    pressExactly(say('members.add')),
    dialog(say('members.inviteTitle')),
  ],
  proof: [
    refuse('/api/mfa', 'reauthentication_required'),
    mayaAt('myprofile--open'),
    press(say('waysIn.turnOn')),
    inDialog(say('waysIn.turnOn')),
    dialog(say('stepUp.proofTitle')),
  ],
  'mail-confirm': [sends('/api/signup', () => ({ emailId: email(newcomer()) })), mail(newcomer)],
  'mail-invited': [
    speaking('otto', 'Otto'),
    ({ page }) => invite(page, 'Aiko Mori', 'Admin', '', email(languageNow()), languageNow()),
    mail(languageNow),
  ],
  'mail-new-device': [lenaSignsIn, mail(() => 'lena')],
}).map(([name, step]) => [name, reachOf(step)] as const);
