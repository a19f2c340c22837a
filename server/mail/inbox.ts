import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import PostalMime from 'postal-mime';
import type { Config } from '#server/config.ts';
import { isLoopback } from '#server/config-readers.ts';
import { escapeHtml } from '#server/html.ts';
import { framed } from '#server/http/docs-page.ts';

const SHOWN_MAX = 100;
const NAME = /^[\dTZ.-]+\.eml$/;

const withLinks = (text: string) =>
  escapeHtml(text).replace(/https?:\/\/[^\s<]+/g, (url) => `<a href="${url}">${url}</a>`);

const page = (title: string, body: string) =>
  framed(title, `<body class="single"><main>${body}</main></body>`);

/** Only on the operator's own machine, because the page shows everybody's mails. */
export const hasInbox = ({ production, smtpUrl, publicUrl }: Config) =>
  !production && !smtpUrl && isLoopback(publicUrl.hostname);

export function serveInbox(app: FastifyInstance, folder: string, plainHeaders: Record<string, string>) {
  const names = () =>
    existsSync(folder)
      ? readdirSync(folder)
          .filter((name) => NAME.test(name))
          .toSorted()
          .toReversed()
          .slice(0, SHOWN_MAX)
      : [];
  const open = async (name: string) =>
    NAME.test(name) && existsSync(path.join(folder, name))
      ? PostalMime.parse(readFileSync(path.join(folder, name)))
      : undefined;

  const route = { config: { bound: 'development' } } as const;
  app.get('/outbox', route, async (_request, reply) => {
    const mails = await Promise.all(names().map(async (name) => ({ name, mail: await open(name) })));
    const rows = mails.map(
      ({ name, mail }) =>
        `<li><a href="/outbox/${name}">${escapeHtml(mail?.subject ?? '')}</a><br><span class="quiet">to ${escapeHtml(mail?.to?.[0]?.address ?? '')}, ${escapeHtml(mail?.date ?? '')}</span></li>`,
    );
    const list =
      rows.length > 0
        ? `<ul class="mails">${rows.join('')}</ul>`
        : '<p>No mail yet. Mails appear here as the portal sends them; load the page again.</p>';
    return reply
      .headers(plainHeaders)
      .type('text/html; charset=utf-8')
      .send(
        page(
          'Outbox',
          `<h1>Outbox</h1><p class="quiet">Every mail the portal wrote, newest first. This page is not there in production.</p>${list}`,
        ),
      );
  });

  app.get<{ Params: { name: string } }>('/outbox/:name', route, async (request, reply) => {
    const { name } = request.params;
    const mail = await open(name);
    if (!mail) return reply.callNotFound();
    const body = `<p><a href="/outbox">Outbox</a></p><h1>${escapeHtml(mail.subject ?? '')}</h1>
<p class="quiet">to ${escapeHtml(mail.to?.[0]?.address ?? '')}, ${escapeHtml(mail.date ?? '')}</p>
<h2>Text</h2><pre class="words">${withLinks(mail.text ?? '')}</pre>
<h2>As shown by a mail program</h2><iframe title="The mail as shown by a mail program" src="/outbox/${name}/html" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>`;
    return reply
      .headers(plainHeaders)
      .type('text/html; charset=utf-8')
      .send(page(mail.subject ?? '', body));
  });

  app.get<{ Params: { name: string } }>('/outbox/:name/html', route, async (request, reply) => {
    const mail = await open(request.params.name);
    if (!mail) return reply.callNotFound();
    // Mails have inline styles, so this page allows these, but no script, image or foreign frame.
    return reply
      .headers({
        ...plainHeaders,
        'content-security-policy':
          "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox",
      })
      .type('text/html; charset=utf-8')
      .send((mail.html ?? '').replace('<head>', '<head><base target="_blank">'));
  });
}
