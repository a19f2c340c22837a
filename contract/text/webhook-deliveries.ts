/** The last deliveries of a webhook, for Super Admins. */
export const webhookDeliveriesText = {
  title: 'Deliveries',
  lead: 'The events of the last 30 days for {url}, newest first.',
  loading: 'Loading deliveries',
  empty: 'Nothing delivered yet',
  emptyHint: 'Send a test event to see whether your server gets it.',
  older: 'Show older',
  off: 'Nothing is sent while the webhook is paused or switched off. Events that wait are sent when you resume it.',

  test: 'Test event',
  statuses: { waiting: 'Waiting', delivered: 'Delivered', failed: 'Failed' },
  tries: 'Tries',
  lastTry: 'Last try',
  duration: 'Duration',
  milliseconds: '{count} ms',
  statusCode: 'Status code',
  nextTry: 'Next try',
  problem: 'Problem',
  response: 'Response',

  sendTest: 'Send test event',
  testQueued: 'The test event is queued',
  sendAgain: 'Send again',
  sendThisAgain: 'Send again: {event}, {time}',
  queuedAgain: 'The event is queued again',
} as const;
