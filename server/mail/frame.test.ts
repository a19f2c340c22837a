import { expect, test } from 'vitest';
import { PRODUCT_NAME } from '#contract/limits.ts';
import { inLanguage } from '#server/language.ts';
import { frame } from './frame.ts';

const letter = (more: Partial<Parameters<typeof frame>[0]> = {}) =>
  frame({
    subject: 'Join us',
    paragraphs: ['Maya invites you.', 'The link works once.'],
    action: { label: 'Join', url: 'http://localhost:3000/invitation?digest={{digest}}&a=1' },
    footer: 'If you do not know Maya, do nothing.',
    ...more,
  });

/** The visible text of the HTML. */
const visibleText = (html: string) =>
  html
    .replace(/<(head|style)>[^]*?<\/\1>/g, '')
    .replace(/<[^>]+>/g, '\n')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && line !== PRODUCT_NAME);

test('text and HTML contain the same words in the same order', () => {
  const { text, html } = letter({ paragraphs: ['Tom & Jerry <b>invite<b> you.', `"It's" fine.`] });
  const words = text.split('\n').filter((line) => line !== '' && line !== '-- ');
  expect(visibleText(html)).toEqual(words.map((line) => line.replace(/^Join:$/, 'Join')));
  expect(words).toEqual([
    'Tom & Jerry <b>invite<b> you.',
    `"It's" fine.`,
    'Join:',
    'http://localhost:3000/invitation?digest={{digest}}&a=1&language=en',
    'If you do not know Maya, do nothing.',
  ]);
});

test('the code of a code mail stands in its subject and large in its HTML', () => {
  const { subject, text, html } = letter({ subject: '{code} is yours', code: 'Your code is {code}.' });
  expect(subject).toBe('{{code}} is yours');
  expect(text).toContain('Your code is {{code}}.');
  expect(html).toMatch(
    /Your code is <br><strong dir="ltr" style="font-size:34px[^>]*>\{\{code\}\}<\/strong>/,
  );
});

test('a mail without a button has no link in text or HTML', () => {
  const { action: _, ...plain } = { subject: 'x', paragraphs: ['y'], footer: 'z', action: undefined };
  const { text, html } = frame(plain);
  expect(text).toBe('y\n\n-- \nz');
  expect(html).not.toMatch(/<a |href/);
});

test('a mail keeps its language and direction without its html element, and Japanese sentences nothing hidden', () => {
  const { html, language } = inLanguage('ar', letter);
  const body = html.slice(html.indexOf('<body'));
  expect(body).toMatch(/^<body[^>]*><table [^>]*lang="ar" dir="rtl"/);
  expect(language).toBe('ar');
  const { text } = letter({ paragraphs: ['招待されました。参加してください。'] });
  expect(text).toContain('招待されました。参加してください。');
});

const evil = `"><script>alert('x')</script><img src=x onerror=1>&amp;`;
test('text from people never becomes markup (C10)', () => {
  const { html } = letter({
    subject: evil,
    paragraphs: [evil],
    footer: evil,
    action: { label: evil, url: `http://localhost:3000/?a=${evil}` },
  });
  expect(html).not.toMatch(/<script|<img/);
  // title, paragraph, footer, label, and the URL twice
  expect(html.match(/&quot;&gt;&lt;script&gt;alert\(&#39;x&#39;\)/g)).toHaveLength(6);
  expect(html).toContain('&amp;amp;');
});

test.for(['a\r\nBcc: b@c.example', 'a\nb', 'a\u0000b', 'a\u2028b\u2029c', '\ta\t'])(
  'subject %j stays one line (C10)',
  (subject) => {
    expect(letter({ subject }).subject).toMatch(/^[^\p{Cc}\p{Zl}\p{Zp}]+$/u);
    expect(letter({ subject }).html).toContain(`<title>${letter({ subject }).subject}</title>`);
  },
);

test.for([
  '{{digest}}',
  '{{code}}',
  '{{dig{{digest}}est}}',
  '{{co{{code}}de}}',
  '{{{code}}}',
  '{{anything}}',
])('%s in the text of a mail is never filled (C10)', (placeholder) => {
  const name = `evil.example/${placeholder}`;
  const words = { subject: name, paragraphs: [name], code: `${name} {code}`, footer: name };
  const url = 'http://localhost:3000/notme?digest={{digest}}';
  const { subject, text, html } = letter({ ...words, action: { label: name, url } });
  const placeholdersOf = (content: string) => content.match(/\{\{[^]*?\}\}/g) ?? [];
  expect(placeholdersOf(subject)).toEqual([]);
  // The frame's own placeholders: the code, and the digest in the URL, which the HTML has twice.
  expect(placeholdersOf(text)).toEqual(['{{code}}', '{{digest}}']);
  expect(placeholdersOf(html.replace(/<style>[^]*?<\/style>/, ''))).toEqual([
    '{{code}}',
    '{{digest}}',
    '{{digest}}',
  ]);
  expect(subject.replaceAll('\u200B', '')).toBe(name);
});

test.for([
  'https://evil.example/a',
  'www.evil.example',
  'call@evil.example',
  'evil。example',
  '悪。example',
  'evil。みんな',
  '10.0.0.1:80/x',
])('a name like %s is no link in any mail program (C10)', (name) => {
  const { subject, text, html } = letter({
    subject: name,
    paragraphs: [`Your role is ${name}.`],
    footer: name,
  });
  for (const words of [subject, text, html]) {
    expect(words).not.toContain(name);
    expect(words.replaceAll('\u200B', '')).toContain(name);
  }
  expect(`${text}${html}`).not.toMatch(/evil[.。]example|https:\/\/evil|0\.0\.1/);
});

test('times and ends of sentences get no invisible spaces', () => {
  const { text } = letter({ paragraphs: ['Signed in at 10:30 UTC. It was you.'] });
  expect(text).toContain('Signed in at 10:30 UTC. It was you.');
});

test('a mail suits dark mode, loads nothing and has only the link of its button', () => {
  const { html } = letter();
  expect(html).toContain('<meta name="color-scheme" content="light dark">');
  expect(html).toContain('<meta name="supported-color-schemes" content="light dark">');
  expect(html).toContain('@media (prefers-color-scheme:dark)');
  expect(html).not.toMatch(/<img|<link|@import|url\(|src=/);
  expect(html.match(/href="([^"]*)"/g)).toEqual([
    'href="http://localhost:3000/invitation?digest={{digest}}&amp;a=1&amp;language=en"',
  ]);
});
