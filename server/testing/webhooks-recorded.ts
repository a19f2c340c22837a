import type { Recorded } from './recorded-rows.ts';

export const webhooksRecorded = {
  add: { rows: ['organization.webhook.create'] },
  change: { rows: ['organization.webhook.update'] },
  remove: { rows: ['organization.webhook.delete'] },
  rotateSecret: { rows: ['organization.webhook.change'] },
  pause: { rows: ['organization.webhook.update'] },
  sendTest: { rows: ['organization.webhook.update'] },
  sendAgain: { rows: ['organization.webhook.update'] },
} as const satisfies Record<string, Recorded>;
