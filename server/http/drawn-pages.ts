import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { digestIn } from '#contract/accounts/copied-link.ts';
import type { DrawnPage, publicPages } from '#contract/pages.ts';
import type { Site } from '#contract/site.ts';

export type PublicPath = '/' | (typeof publicPages)[number];
export type Drawn = Readonly<Partial<Record<PublicPath, DrawnPage>>>;

export function drawPages(dist: string, site: Site): Promise<Drawn> {
  const file = path.join(dist, 'draw.js');
  const thread = new Worker(file, { workerData: site, env: { NODE_ENV: 'production' } });
  return new Promise((resolve, reject) => {
    thread.once('message', resolve).once('error', reject);
    thread.once('exit', () => reject(new Error(`${file} drew nothing`)));
  });
}

type Query = Readonly<Record<string, unknown>>;
const withDigest = (query: Query) => digestIn(query['digest']) !== undefined;

/** Pages that are drawn whole for some queries only; all others are drawn whole for every query. */
const wholeIf: Partial<Record<PublicPath, (query: Query) => boolean>> = {
  '/login': (query) => query['contact'] === undefined,
  '/support': (query) => query['reason'] === undefined,
  '/verifyemail': withDigest,
  '/resetpassword': withDigest,
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
