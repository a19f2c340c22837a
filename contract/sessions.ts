import { endpoint, noContent } from '#contract/endpoint.ts';

export const sessions = {
  beacon: endpoint({
    method: 'POST',
    path: '/api/activesession',
    summary: 'Tell that the person is active; the body is ignored',
    access: 'session',
    output: noContent,
  }),
};
