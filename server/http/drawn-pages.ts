import path from 'node:path';
import { Worker } from 'node:worker_threads';
import * as z from 'zod/mini';
import { digest } from '#contract/mailed-fields.ts';
import type { DrawnPage, publicPages } from '#contract/pages.ts';
import type { Site } from '#contract/site.ts';

export type PublicPath = '/' | (typeof publicPages)[number];
export type Drawn = Readonly<Partial<Record<PublicPath, DrawnPage>>>;

/** The initial public pages with these settings, drawn by the build's own script in a thread. */
export function drawPages(dist: string, site: Site): Promise<Drawn> {
  const file = path.join(dist, 'draw.js');
  const thread = new Worker(file, { workerData: site, env: { NODE_ENV: 'production' } });
  return new Promise((resolve, reject) => {
    thread.once('message', resolve).once('error', reject);
    thread.once('exit', () => reject(new Error(`${file} drew nothing`)));
  });
}

type Query = Readonly<Record<string, unknown>>;
const withDigest = (query: Query) => z.safeParse(digest, query['digest']).success;

const wholeWhen: Partial<Record<PublicPath, (query: Query) => boolean>> = {
  '/login': (query) => query['contact'] === undefined,
  '/support': (query) => query['reason'] === undefined,
  '/verifyemail': withDigest,
  '/resetpassword': withDigest,
  '/createpassword': withDigest,
  '/notme': withDigest,
  '/restoreaccount': withDigest,
  '/restoreemail': withDigest,
  // Begins with the details of the invitation, which must be looked up.
  '/invitation': () => false,
  // Begins with the address that only the browser remembers.
  '/verifyaccount': () => false,
};

/** Whether a visit begins with the page as drawn in advance; otherwise only its frame is drawn. */
export const isDrawnWhole = (page: PublicPath, query: Query) => wholeWhen[page]?.(query) ?? true;
