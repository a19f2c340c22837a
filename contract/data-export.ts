import * as z from 'zod/mini';
import type { Download } from '#contract/activity.ts';
import { endpoint } from '#contract/endpoint.ts';
import { time } from '#contract/time.ts';
import { shape } from '#contract/wire.ts';

/** The caller's archive. All fields are null without one; only `requestedAt` is set while it is being made. */
const archive = shape({
  requestedAt: z.nullable(time),
  expiresAt: z.nullable(time),
  byteCount: z.nullable(z.int()),
});

/** Everything that the portal holds about the caller, as one ZIP file. */
export const dataExport = {
  read: endpoint({ method: 'GET', path: '/api/dataexport', access: 'session', output: archive }),
  /** Starts a new archive, which replaces the old one. Does nothing while one is being made. */
  request: endpoint({
    method: 'POST',
    path: '/api/dataexport',
    access: 'session',
    recentProof: true,
    output: archive,
    failures: ['reauthentication_required', 'account_not_confirmed', 'too_many_requests'],
  }),
  download: endpoint({
    method: 'GET',
    path: '/api/dataexport/file',
    access: 'session',
    recentProof: true,
    alsoWrites: true,
    answers: 'file',
    output: z.custom<Download>(),
    failures: ['reauthentication_required', 'file_not_found', 'too_many_requests'],
  }),
};
