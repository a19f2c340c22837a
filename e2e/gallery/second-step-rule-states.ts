import { expect } from '../fixtures.ts';
import { answer, atAs, hold, openBlank, press, type Reach, refuse, see } from './steps.ts';

const RULE = '/api/orgs/secondstep*';
const settings = atAs('maya', '/northwind-traders/organization');
const rule = { rule: 'none', from: null, holds: 0, members: 12, without_any: 7, without_strong: 9 };

/** Chooses the strictest rule. */
const choose: Reach = async (stage) => {
  await answer(stage.page, RULE, rule);
  await settings(stage);
  await stage.page.getByLabel('Members need').selectOption('strong');
  await see(stage.page, '9 of 12 members');
};
const save = async ({ page }: Parameters<Reach>[0]) => {
  const card = page.locator('form').filter({ hasText: 'Second step of members' });
  await card.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
};

const asking = {
  Id: 7,
  OrgName: 'Harbour Logistics',
  OrgUrlName: 'harbour-logistics',
  rule: 'strong',
  from: '2026-12-01T00:00:00Z',
  is_closed: 0,
  is_ready: 0,
};
/** An organization asks for a second step of the person. If it is closed, no organization is open. */
const asks =
  (more: Partial<typeof asking>): Reach =>
  ({ page }) =>
    page.route('**/api/init*', async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as { response: object };
      const awaiting_second_step = [{ ...asking, ...more }];
      const none = { default_organizations: null, Roles: [], organizations_users: [] };
      Object.assign(body.response, { awaiting_second_step }, more.is_closed && none);
      await route.fulfill({ response, json: body });
    });

const closed =
  (more: Partial<typeof asking>): Reach =>
  async (stage) => {
    await asks({ ...more, is_closed: 1 })(stage);
    await atAs('lena', '/')(stage);
    await see(stage.page, 'Harbour Logistics requires a second step');
  };

/** Every state of the rule, of its notices and of the offer of a passkey. */
export const secondStepRuleStates: Record<string, Reach> = {
  'rule--chosen': choose,
  'rule--confirm': async (stage) => {
    await choose(stage);
    await save(stage);
  },
  'rule--own-first': async (stage) => {
    await choose(stage);
    await save(stage);
    await stage.page.unroute(`**${RULE}`);
    await refuse(stage.page, RULE, 'second_step_required');
    await press(stage.page, 'Require it');
    await see(stage.page, 'You do not meet this yourself yet');
  },
  'rule--holds': async (stage) => {
    await answer(stage.page, RULE, { ...rule, rule: 'any', from: '2026-11-01T00:00:00Z', holds: 1 });
    await settings(stage);
    await see(stage.page, /^In effect since/);
  },
  'rule--loading': async (stage) => {
    await hold(stage.page, RULE);
    await settings(stage);
  },
  'rule--failed': async (stage) => {
    await refuse(stage.page, RULE, 'internal_error');
    await settings(stage);
    await see(stage.page, 'This could not be loaded');
  },
  'second-step--banner': async (stage) => {
    await asks({})(stage);
    await atAs('maya', '/northwind-traders/myapps')(stage);
    await see(stage.page, 'Harbour Logistics requires');
  },
  'second-step--closed': closed({}),
  'second-step--ready': closed({ rule: 'any', is_ready: 1 }),
  'second-step--profile': async (stage) => {
    await closed({})(stage);
    await stage.page.getByRole('link', { name: 'Set one up' }).click();
    await see(stage.page, 'Set one up on My Profile');
  },
  'passkey--offer': async (stage) => {
    await answer(stage.page, '/api/passkeys/offer', { is_open: 1 });
    await openBlank(stage.page);
    await stage.page.evaluate(() => sessionStorage.setItem('portico-password-sign-in', 'yes'));
    await stage.page.addInitScript(() => {
      // States after this one may share its page, but not its storage. A blank page lacks these interfaces.
      if (!('PublicKeyCredential' in globalThis) || sessionStorage.length === 0) return;
      PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable = () => Promise.resolve(true);
    });
    await stage.as('maya');
    await stage.page.goto('/northwind-traders/myapps');
    await expect(stage.page.getByRole('dialog')).toBeVisible();
  },
};
