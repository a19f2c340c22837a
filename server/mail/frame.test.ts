import { expect, test } from 'vitest';
import { frame } from '#server/mail/frame.ts';

const letter = (more: Partial<Parameters<typeof frame>[0]> = {}) =>
  frame({
    subject: 'Join us',
    paragraphs: ['Maya invites you.', 'The link works once.'],
    action: { label: 'Join', url: 'http://localhost:3000/invitation?digest={{digest}}&a=1' },
    footer: 'If you do not know Maya, do nothing.',
    ...more,
  });

/** What a reader sees of the HTML. */
const seen = (html: string) =>
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
    .filter((line) => line !== '' && line !== 'Portico');

test('text and HTML say the same, in the same order', () => {
  const { text, html } = letter({ paragraphs: ['Tom & Jerry <b>invite</b> you.', `"It's" fine.`] });
  const words = text.split('\n').filter((line) => line !== '' && line !== '-- ');
  expect(seen(html)).toEqual(words.map((line) => line.replace(/^Join:$/, 'Join')));
  expect(words).toEqual([
    'Tom & Jerry <b>invite</b> you.',
    `"It's" fine.`,
    'Join:',
    'http://localhost:3000/invitation?digest={{digest}}&a=1',
    'If you do not know Maya, do nothing.',
  ]);
});

test('a mail without a button has none in either', () => {
  const { action: _, ...plain } = { subject: 'x', paragraphs: ['y'], footer: 'z', action: undefined };
  const { text, html } = frame(plain);
  expect(text).toBe('y\n\n-- \nz');
  expect(html).not.toMatch(/<a |href/);
});

const evil = `"><script>alert('x')</script><img src=x onerror=1>&amp;`;
test('nothing a person wrote becomes markup (C10)', () => {
  const { html } = letter({
    subject: evil,
    paragraphs: [evil],
    footer: evil,
    action: { label: evil, url: `http://localhost:3000/?a=${evil}` },
  });
  expect(html).not.toMatch(/<script|<img/);
  // title, paragraph, footer, label, and the address twice
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

test.for(['{{digest}}', '{{dig{{digest}}est}}'])(
  'a name that reads like the secret’s placeholder gets no secret: %s (C10)',
  (placeholder) => {
    const name = `evil.example/${placeholder}`;
    const { subject, text, html } = letter({ subject: name, paragraphs: [name], footer: name });
    expect(subject).not.toContain('{{digest}}');
    expect(text.split('{{digest}}')).toHaveLength(2);
    expect(html.split('{{digest}}')).toHaveLength(3);
    expect(`${text}${html}`).not.toContain('evil.example/{{digest}}');
  },
);

test('it reads well in the dark, loads nothing and links nowhere else', () => {
  const { html } = letter();
  expect(html).toContain('<meta name="color-scheme" content="light dark">');
  expect(html).toContain('<meta name="supported-color-schemes" content="light dark">');
  expect(html).toContain('@media (prefers-color-scheme:dark)');
  expect(html).not.toMatch(/<img|<link|@import|url\(|src=/);
  expect(html.match(/href="([^"]*)"/g)).toEqual([
    'href="http://localhost:3000/invitation?digest={{digest}}&amp;a=1"',
  ]);
});
