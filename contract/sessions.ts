import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';

/** A call that answers 204 without a body: a browser's beacon reads no answer. */
export const noContent = z.custom<undefined>(() => true);

export const sessions = {
  beacon: endpoint({
    method: 'POST',
    path: '/api/activesession',
    access: 'session',
    output: noContent,
  }),
};
