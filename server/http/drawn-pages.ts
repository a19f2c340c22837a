import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { digestIn } from '#contract/accounts/copied-link.ts';
import type { DrawnPage, publicPages } from '#contract/pages.ts';
import { type Destination, type Site, SITE_META } from '#contract/site.ts';
import { escapeHtml } from '#server/html.ts';

export type PublicPath = '/' | (typeof publicPages)[number];
export type Drawn = Readonly<Partial<Record<PublicPath, DrawnPage>>>;

export function drawPages(dist: string, what: { site: Site; language: string }): Promise<Drawn> {
  const file = path.join(dist, 'draw.js');
  const thread = new Worker(file, { workerData: what, env: { NODE_ENV: 'production' } });
  return new Promise((resolve, reject) => {
    thread.once('message', resolve).once('error', reject);
    thread.once('exit', () => reject(new Error(`${file} drew nothing`)));
  });
}

export type Query = Readonly<Record<string, unknown>>;
const withDigest = (query: Query) => digestIn(query['digest']) !== undefined;

/** Pages that are drawn whole for some queries only; all others are drawn whole for every query. */
const wholeIf: Partial<Record<PublicPath, (query: Query) => boolean>> = {
  '/login': (query) => query['contact'] === undefined,
  '/support': (query) => query['reason'] === undefined,
  '/verifyemail': withDigest,
  '/resetpassword': (query) => withDigest(query) && query['first'] === undefined,
  '/createpassword': withDigest,
  '/notme': withDigest,
  '/restoreaccount': withDigest,
  '/restoreemail': withDigest,
  // Shows the invitation, which must be looked up.
  '/invitation': () => false,
  // Shows the address, which only the browser remembers.
  '/verifyaccount': () => false,
};

/** Whether a visit with this query gets the whole page as drawn in advance; otherwise it gets only the frame. */
export const isDrawnWhole = (page: PublicPath, query: Query) => wholeIf[page]?.(query) ?? true;

/** In single quotes, because JSON has many double ones. */
const inAttribute = (json: string) =>
  json.replaceAll('&', '&amp;').replaceAll("'", '&#39;').replaceAll('<', '&lt;');
export const metaOf = (site: Site) =>
  `<meta name="${SITE_META}" content='${inAttribute(JSON.stringify(site))}'>`;

/** Fills the fields of a drawn page, and tells its script the same. */
export function withDestination(page: string, destination: Destination, style: string) {
  const fields: Readonly<Record<string, string | null>> = destination;
  const drawn = destination.icon === null ? page.replace(/<img [^>]*\{\{icon\}\}[^>]*>/, '') : page;
  return drawn
    .replaceAll(/\{\{(\w+)\}\}/g, (token, field: string) => escapeHtml(fields[field] ?? token))
    .replace('"destination":null', () => inAttribute(`"destination":${JSON.stringify(destination)}`))
    .replace('</head>', () => `${style}</head>`);
}
