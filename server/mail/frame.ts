import { product } from '#contract/product.ts';
import { spokenLanguage } from '#words/language.ts';
import { brandText } from '#words/brand.ts';
import type { communicationsText } from '#words/communications.ts';
import { type Brand, brandNow } from '#server/brand/brand.ts';
import { accentOf, hexOf, type Theme, type Token } from '#server/brand/colours.ts';
import { escapeHtml } from '#server/html.ts';
import type { MailContent, WriteMail } from './outbox.ts';
import { withShownAddresses } from '#server/shown-address.ts';

/** The content of a mail. The frame makes both text and HTML of it. */
type Letter = {
  readonly subject: string;
  /** The subject with the names of its values: "You are invited to {organization}". */
  readonly letter?: string;
  readonly paragraphs: readonly string[];
  /** The first sentence, with the one-time code in place of `{code}`. The subject may have the code, too. */
  readonly code?: string;
  /** One button. Its URL is also printed below it, for mail programs that show no button. */
  readonly action?: { readonly label: string; readonly url: string };
  /** A page about it, as a quiet link below the button. */
  readonly page?: { readonly label: string; readonly url: string };
  /** Small print: why the mail came, and what to do if it was not you. */
  readonly footer: string;
};

type About = keyof typeof communicationsText.securityMails;
/** A mail to an account's owner about an event; its frame gets a way to object. */
export type Notice = () => {
  readonly about: About;
  readonly subject: string;
  readonly letter?: string;
  readonly paragraphs: readonly string[];
};

type Text = string | ((values: never) => string);
type Words = {
  readonly subject: Text;
  readonly paragraphs: Readonly<Record<string, Text>>;
  readonly code?: Text;
  readonly button?: Text;
  readonly footer?: Text;
};
type TextsOf<W extends Words> =
  | W['subject']
  | W['paragraphs'][keyof W['paragraphs']]
  | (W extends { code: infer C } ? C : never)
  | (W extends { button: infer B } ? B : never)
  | (W extends { footer: infer F } ? F : never);
/** The values that all texts of a mail ask for. */
type Values<W extends Words> = [Exclude<TextsOf<W>, string>] extends [(values: infer V) => string]
  ? V
  : never;
/** Values that depend on the language, such as dates, come from a function. */
export type Given<W extends Words> = Values<W> | (() => Values<W>);

function fillInWith(given: unknown) {
  const values: unknown = typeof given === 'function' ? (given as () => unknown)() : given;
  return (text: Text) => (typeof text === 'string' ? text : text(values as never));
}

const valueNames = new Proxy({}, { get: (_, name) => `{${String(name)}}` });
const letterIn = (subject: Text) => (typeof subject === 'string' ? subject : subject(valueNames as never));

export type Filled = () => Omit<Letter, 'action'> & { readonly button?: string };
type Whole = Words & { readonly footer: Text };
export const fillWords =
  <W extends Whole>(words: W, values: Given<W>): Filled =>
  () => {
    const fillIn = fillInWith(values);
    const { code, button } = words;
    return {
      ...(code !== undefined && { code: fillIn(code) }),
      ...(button !== undefined && { button: fillIn(button) }),
      subject: fillIn(words.subject),
      letter: letterIn(words.subject),
      paragraphs: Object.values(words.paragraphs).map(fillIn),
      footer: fillIn(words.footer),
    };
  };

export const letterOf =
  (write: Filled, url?: string): WriteMail =>
  () => {
    const { button, ...words } = write();
    return frame({ ...words, ...(button && url && { action: { label: button, url } }) });
  };

/** The mail of these words; `url` is the target of its button. */
export const mailOf = <W extends Whole>(words: W, values: Given<W>, url?: string): WriteMail =>
  letterOf(fillWords(words, values), url);

export const noticeOf =
  <W extends Words>(about: About, words: W, values: Given<W>): Notice =>
  () => {
    const fillIn = fillInWith(values);
    const subject = fillIn(words.subject);
    return {
      about,
      subject,
      letter: letterIn(words.subject),
      paragraphs: Object.values(words.paragraphs).map(fillIn),
    };
  };

/** A header stays one line, whatever a name contains. */
const oneLine = (text: string) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();

/** Only the frame's own placeholders may be filled with a secret; an invisible space keeps other braces from it. */
const withoutPlaceholders = (words: string) => words.replace(/\{(?=\{)/g, '{\u200B');

/**
 * Mail programs link what looks like an address; an invisible space prevents it. Times (10:30) stay whole, and so do
 * sentences in Japanese, where no domain has a letter of ASCII beside the stop.
 */
const withoutLinks = (words: string) =>
  words.replace(
    /(?!(?<=\d):\d)[.．:：/／@＠](?=\S)|[。｡](?:(?=[\x21-\x7e])|(?<=[\x21-\x7e].)(?=\S))/gu,
    '$&\u200B',
  );

const safeWords = (words: string) => withoutLinks(withoutPlaceholders(withShownAddresses(words)));

/** The link opens its page in the language of the mail. */
const inThatLanguage = (url: string, tag: string) =>
  url.replace(/(\?[^#]*)?(?=#|$)/, (query) => `${query}${query ? '&' : '?'}language=${tag}`);

const ownColours = { light: { fill: '#00665e', ink: '#ffffff' }, dark: { fill: '#5ec8b8', ink: '#06201d' } };
function buttonColours(brand: Brand | null): typeof ownColours {
  const { colour } = brand ?? {};
  if (!colour) return ownColours;
  const hex = (token: Token, theme: Theme) => hexOf(accentOf(colour, token, theme));
  const of = (theme: Theme) => ({ fill: hex('accent', theme), ink: hex('accent-ink', theme) });
  return { light: of('light'), dark: of('dark') };
}

/**
 * Frames a letter as plain text and as HTML that suits light and dark mail programs, without images. Its outer table repeats
 * language and direction, because webmails drop `html`.
 */
export function frame(letter: Letter): MailContent {
  const { tag, direction } = spokenLanguage;
  const action = letter.action && {
    label: safeWords(letter.action.label),
    url: inThatLanguage(letter.action.url, tag),
  };
  const page = letter.page && { ...letter.page, url: inThatLanguage(letter.page.url, tag) };
  const footer = safeWords(letter.footer);
  const paragraphs = letter.paragraphs.map(safeWords);
  const withCode = (words: string) =>
    letter.code === undefined ? words : words.replace(/(?<!\u200B)\{code\}/, '{{code}}');
  const subject = withCode(oneLine(safeWords(letter.subject)));
  const code = letter.code === undefined ? [] : [withCode(safeWords(letter.code))];
  const brand = brandNow();
  const legal = brand?.legal
    ? [
        { label: brandText.terms, url: brand.legal.terms() },
        { label: brandText.privacy, url: brand.legal.privacy() },
      ]
    : [];
  const imprint = brand?.mail.footer?.();
  const text = [
    ...code,
    ...paragraphs,
    ...[action, page].flatMap((link) => (link ? [`${link.label}:\n${link.url}`] : [])),
    `-- \n${footer}`,
    ...(imprint ? [imprint] : []),
    ...legal.map(({ label, url }) => `${label}: ${url}`),
  ].join('\n\n');
  const paragraph = (words: string) => `<p style="margin:0 0 16px">${escapeHtml(words)}</p>`;
  const digits = code.map((words) =>
    paragraph(words).replace(
      /\{\{code\}\}\.?/,
      '<br><strong dir="ltr" style="font-size:34px;line-height:1.5;letter-spacing:6px">{{code}}</strong>',
    ),
  );
  const colours = buttonColours(brand);
  const button = action
    ? `<p style="margin:24px 0"><a href="${escapeHtml(action.url)}" class="button" style="display:inline-block;background:${colours.light.fill};color:${colours.light.ink};text-decoration:none;font-weight:600;padding:12px 20px;border-radius:7px">${escapeHtml(action.label)}</a></p>
<p class="quiet" dir="ltr" style="margin:0 0 16px;font-size:13px;color:#6b655c;word-break:break-all">${escapeHtml(action.url)}</p>`
    : '';
  const quietLink = page
    ? `<p style="margin:0 0 16px"><a href="${escapeHtml(page.url)}" style="color:inherit">${escapeHtml(page.label)}</a></p>`
    : '';
  const links = legal.map(
    ({ label, url }) => `<a href="${escapeHtml(url)}" style="color:inherit">${label}</a>`,
  );
  const ofBrand = [
    ...(imprint ? [`<bdi>${escapeHtml(imprint)}</bdi>`] : []),
    ...(links.length > 0 ? [links.join(' · ')] : []),
  ]
    .map((line) => `\n<p class="quiet" style="margin:8px 0 0;font-size:13px;color:#6b655c">${line}</p>`)
    .join('');
  const html = `<!doctype html>
<html lang="${tag}" dir="${direction}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>:root{color-scheme:light dark}@media (prefers-color-scheme:dark){.page{background:#171512!important}.card{background:#201d1a!important;border-color:#38342f!important;color:#f0ece6!important}.quiet{color:#a8a196!important}.button{background:${colours.dark.fill}!important;color:${colours.dark.ink}!important}}</style></head>
<body class="page" style="margin:0;background:#faf9f6"><table role="presentation" lang="${tag}" dir="${direction}" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" style="max-width:520px;background:#ffffff;border:1px solid #e4e1db;border-radius:14px;color:#292520;font:400 15px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif"><tr><td style="padding:28px 32px">
<p style="margin:0 0 20px;font-weight:600;font-size:17px">${escapeHtml(product.name)}</p>
${[...digits, ...paragraphs.map(paragraph)].join('\n')}
${button}${quietLink}
<p class="quiet" style="margin:24px 0 0;font-size:13px;color:#6b655c">${escapeHtml(footer)}</p>${ofBrand}
</td></tr></table></td></tr></table></body></html>`;
  return { language: tag, subject, text, html, letter: letter.letter ?? null };
}
