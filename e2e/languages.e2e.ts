import { Secret, TOTP } from 'otpauth';
import { addRole, openMembers } from './colleagues.ts';
import { confirmedAt, expect, expectNoSideScroll, judge, newEmail, signIn, test } from './fixtures.ts';
import { press, tabTo } from './keyboard.ts';

// The entrance in other languages.

test.use({ waitsForScript: false });

const languages = {
  de: { direction: 'ltr', login: 'Willkommen zurück', signup: 'Konto erstellen' },
  ar: { direction: 'rtl', login: 'مرحبًا بعودتك', signup: 'إنشاء حسابك' },
} as const;

for (const [language, { direction, ...headings }] of Object.entries(languages))
  test.describe(language, () => {
    test.use({ locale: language, viewport: { width: 320, height: 740 } });

    test('its pages are drawn and taken over in it alone, and fit a small phone', async ({ page }) => {
      const files: string[] = [];
      page.on('request', (request) => void files.push(new URL(request.url()).pathname));
      for (const [name, heading] of Object.entries(headings)) {
        await page.goto(`/${name}`, { waitUntil: 'commit' });
        const title = page.getByRole('heading', { level: 1, name: heading });
        await expect(title).toBeVisible();
        const drawn = await title.elementHandle();
        await expect(page.locator('#root[data-drawn]')).toHaveCount(0);
        await page.waitForLoadState('networkidle');
        expect(await drawn?.evaluate((element) => element.isConnected)).toBe(true);
        await expect(page.locator('html')).toHaveAttribute('dir', direction);
        await expectNoSideScroll(page);
        await judge(page);
      }
      const assets = files.filter((file) => file.startsWith('/assets/'));
      expect(assets.filter((file) => !file.startsWith(`/assets/${language}/`))).toEqual([]);
      expect(assets.some((file) => file.endsWith('.woff2'))).toBe(language !== 'ar');
    });
  });

test('the row of languages leads back to the same address, by keyboard, and keeps what is typed', async ({
  page,
}) => {
  await page.goto('/login?redirectpath=%2F7%2Fmyprofile');
  await expect(page.locator('#root[data-drawn]')).toHaveCount(0);
  await page.getByLabel('Email').fill('zoe@northwind.example');
  const row = page.getByRole('navigation', { name: 'Language' });
  await expect(row.getByRole('button', { name: 'English' })).toHaveAttribute('aria-current', 'true');
  await page.getByRole('link', { name: 'Support' }).focus();
  for (const name of ['English', 'العربية', 'Deutsch']) {
    await page.keyboard.press('Tab');
    await expect(row.getByRole('button', { name })).toBeFocused();
  }
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Willkommen zurück' })).toBeVisible();
  await expect(page).toHaveURL(/\/login\?redirectpath=%2F7%2Fmyprofile$/);
  await expect(page.getByRole('button', { name: 'Deutsch' })).toBeFocused();
  await expect(page.getByLabel('E-Mail')).toHaveValue('zoe@northwind.example');
  await page.goto('/signup');
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
});

test('a mailed link works in the language chosen on its page', async ({ page, portal }) => {
  const email = await confirmedAt(portal, page.request);
  await page.context().clearCookies();
  await page.request.post('/api/forgotpassword', { data: { email_id: email } });
  const mail = await portal.mailed(email, 'Choose a new password');
  await page.goto(/https?:\/\/\S+/.exec(mail)?.[0] ?? '');
  await expect(page).toHaveURL(/\/resetpassword/);
  await expect(page).not.toHaveURL(/digest/);
  await page.getByRole('button', { name: 'Deutsch' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Neues Passwort wählen' })).toBeVisible();
  await page.getByLabel('Neues Passwort').fill('a longer sentence 41');
  await page.getByLabel('Passwort wiederholen').fill('a longer sentence 41');
  await page.getByRole('button', { name: 'Passwort aktualisieren' }).click();
  await expect(page).toHaveURL(/\/login$/);
});

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false });

  test('the row of languages keeps the link and the focus', async ({ page }) => {
    const link = `/resetpassword?digest=${'a'.repeat(43)}`;
    await page.goto(link);
    await page.getByRole('button', { name: 'Deutsch' }).click();
    await expect(page.locator('html')).toHaveAttribute('lang', 'de');
    await expect(page).toHaveURL(`${link}#language`);
    await expect(page.getByRole('button', { name: 'Deutsch' })).toBeFocused();
  });
});

test('the area comes in the language of the account, after one more load', async ({ page, portal }) => {
  await confirmedAt(portal, page.request);
  const cookie = { name: 'portico-language', value: 'de', url: portal.url };
  await page.context().addCookies([cookie]);
  const loaded: string[] = [];
  page.on('response', async (answer) => {
    if (answer.request().isNavigationRequest()) loaded.push(answer.headers()['content-language'] ?? '');
  });
  await page.goto('/');
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(loaded).toEqual(['de', 'en']);
});

/** Each of its letters on a line is right of the one before, whatever surrounds them. */
function runsRight(element: Element): boolean {
  const text = element.firstChild;
  if (!(text instanceof Text)) throw new Error('there is no text');
  const boxes = Array.from(text.data, (_, at) => {
    const range = document.createRange();
    range.setStart(text, at);
    range.setEnd(text, at + 1);
    return range.getBoundingClientRect();
  }).filter(({ width }) => width > 0);
  const { direction, unicodeBidi } = getComputedStyle(element);
  const isInOrder = boxes.every(({ left, top }, at) => {
    const before = boxes[at - 1];
    return !before || left > before.left || top > before.top;
  });
  return direction === 'ltr' && unicodeBidi === 'isolate' && isInOrder;
}

test.describe('in the area', () => {
  test.use({ waitsForScript: true });

  test('invitations go out in the language of the organization, or in the one chosen', async ({
    page,
    enter,
    portal,
    elsewhere,
  }) => {
    const { urlName } = await enter('organization');
    await addRole(page, 'Sales');
    await page.getByLabel('Number of employees').fill('12');
    await tabTo(page, 'Language of invitations');
    await page.keyboard.press('D');
    await press(page, 'Save changes');
    await expect(page.getByText('Organization information updated')).toBeVisible();

    await openMembers(page, urlName);
    const [german, french] = [newEmail('tom'), newEmail('zoe')];
    await page.getByRole('button', { name: 'Invite many' }).click();
    await tabTo(page, 'Addresses');
    await page.keyboard.type(german);
    await judge(page);
    await press(page, 'Send 1 invitation');
    await press(page, 'Done');
    await portal.mailed(german, 'Sie sind zu Northwind Traders eingeladen');

    await page.getByRole('button', { name: 'Add member' }).click();
    await page.getByLabel('First name').fill('Zoé');
    await page.getByLabel('Email').fill(french);
    const language = page.getByLabel('Language of the invitation');
    await expect(language).toHaveValue('de');
    await tabTo(page, 'Language of the invitation');
    await page.keyboard.press('F');
    await expect(language).toHaveValue('fr');
    await press(page, 'Send invitation');
    await portal.mailed(french, 'Invitation à rejoindre Northwind Traders');
    const theirs = await elsewhere();
    await theirs.goto(await portal.mailedLink(french));
    await expect(theirs.locator('html')).toHaveAttribute('lang', 'fr');
    await expect(theirs.getByRole('heading', { level: 1, name: 'Créez votre mot de passe' })).toBeVisible();
    await judge(theirs);
  });

  test('My Profile changes the language of the pages and of the next sign-in', async ({
    page,
    enter,
    elsewhere,
  }) => {
    const { email } = await enter('myprofile');
    await tabTo(page, 'Language');
    for (const key of ['End', 'ArrowUp']) await page.keyboard.press(key);
    await press(page, 'Save changes');
    await expect(page.locator('html')).toHaveAttribute('lang', 'ja');
    await expect(page.getByLabel('言語')).toHaveValue('ja');
    // Family name first.
    await tabTo(page, '姓');
    await page.keyboard.press('Tab');
    await expect(page.getByLabel('名', { exact: true })).toBeFocused();
    await judge(page);

    const other = await elsewhere();
    await signIn(other, email);
    await other.waitForURL('**/myprofile');
    await expect(other.locator('html')).toHaveAttribute('lang', 'ja');
  });

  test('an Arabic page shows codes, secrets and ids from left to right, also in print', async ({
    page,
    portal,
    enter,
  }) => {
    await page.context().addCookies([{ name: 'portico-language', value: 'ar', url: portal.url }]);
    const { urlName } = await enter('myprofile');
    await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
    await press(page, 'إعداد تطبيق');
    const key = page.getByRole('dialog').locator('code');
    await expect(key).toBeVisible();
    expect(await key.evaluate(runsRight)).toBe(true);
    const secret = ((await key.textContent()) ?? '').replaceAll(' ', '');
    await page
      .getByRole('dialog')
      .getByRole('textbox')
      .fill(new TOTP({ secret: Secret.fromBase32(secret) }).generate());

    const codes = page.getByRole('list', { name: 'رموز الاسترداد' }).getByRole('listitem');
    await expect(codes).toHaveCount(10);
    // Codes are random: this one has digits at its start, which a line from right to left moves to its end.
    await codes
      .locator('bdi')
      .first()
      .evaluate((code) => (code.textContent = '48213-JQ7YA'));
    for (const media of ['screen', 'print'] as const) {
      await page.emulateMedia({ media });
      for (const code of await codes.locator('bdi').all()) expect(await code.evaluate(runsRight)).toBe(true);
    }
    await page.emulateMedia({ media: 'screen' });

    await page.goto(`/${urlName}/organization/applications`);
    await press(page, 'إضافة تطبيق');
    await page.getByLabel('الاسم').fill('Books');
    await page.getByLabel('عناوين إعادة التوجيه').fill('https://books.example/callback');
    await page.getByRole('dialog').getByRole('button', { name: 'إضافة تطبيق' }).click();
    const shown = async (name: string) => {
      const field = page.getByLabel(name, { exact: true });
      await expect(field).toHaveCSS('direction', 'ltr');
      await expect(field).toHaveCSS('unicode-bidi', 'isolate');
      // Its text leaves room for the button at its left.
      await expect(field).toHaveCSS('padding-left', '44px');
      return field;
    };
    await (await shown('المفتاح السري')).press('ControlOrMeta+c');
    await press(page, 'تم');
    await shown('معرّف العميل');
  });
});
