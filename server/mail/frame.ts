import { escapeHtml } from '#server/html.ts';
import type { MailContent } from '#server/mail/outbox.ts';

/** What a mail says, in order; the frame makes text and HTML of it, so both parts always say the same. */
type Letter = {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** One button; the address stands below it too, for mail programs that show no button. */
  readonly action?: { readonly label: string; readonly url: string };
  /** Small print below: why this came, what to do if it was not you. */
  readonly footer: string;
};

/** What happened to an account, in words for its owner. */
export type Notice = { readonly subject: string; readonly paragraphs: readonly string[] };

/** Header lines stay one line whatever a name holds. */
const oneLine = (text: string) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();

/** Only the button carries the one-time secret: a name that reads like its placeholder gets none into a mail's words. */
const withoutDigest = (words: string) => words.replaceAll('{{digest}}', ' ');

/** Frames a letter as plain text and as HTML that reads well in light and dark mail programs, without images. */
export function frame(letter: Letter): MailContent {
  const { action } = letter;
  const footer = withoutDigest(letter.footer);
  const paragraphs = letter.paragraphs.map(withoutDigest);
  const subject = oneLine(withoutDigest(letter.subject));
  const text = [...paragraphs, ...(action ? [`${action.label}:\n${action.url}`] : []), `-- \n${footer}`].join(
    '\n\n',
  );
  const paragraph = (words: string) => `<p style="margin:0 0 16px">${escapeHtml(words)}</p>`;
  const button = action
    ? `<p style="margin:24px 0"><a href="${escapeHtml(action.url)}" class="button" style="display:inline-block;background:#00665e;color:#ffffff;text-decoration:none;font-weight:600;padding:12px 20px;border-radius:7px">${escapeHtml(action.label)}</a></p>
<p class="quiet" style="margin:0 0 16px;font-size:13px;color:#6b655c;word-break:break-all">${escapeHtml(action.url)}</p>`
    : '';
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>:root{color-scheme:light dark}@media (prefers-color-scheme:dark){.page{background:#171512!important}.card{background:#201d1a!important;border-color:#38342f!important;color:#f0ece6!important}.quiet{color:#a8a196!important}.button{background:#5ec8b8!important;color:#06201d!important}}</style></head>
<body class="page" style="margin:0;background:#faf9f6"><table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" style="max-width:520px;background:#ffffff;border:1px solid #e4e1db;border-radius:14px;color:#292520;font:400 15px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif"><tr><td style="padding:28px 32px">
<p style="margin:0 0 20px;font-weight:600;font-size:17px">Portico</p>
${paragraphs.map(paragraph).join('\n')}
${button}
<p class="quiet" style="margin:24px 0 0;font-size:13px;color:#6b655c">${escapeHtml(footer)}</p>
</td></tr></table></td></tr></table></body></html>`;
  return { subject, text, html };
}
