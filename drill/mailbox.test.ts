import { expect, test } from 'vitest';
import { overSmtp } from '#server/mail/transports.ts';
import { startMailbox } from './mailbox.ts';

test('a repeated mail counts once and as a repeat, excused if its first delivery was during a deliberate fault', async () => {
  const mailbox = await startMailbox();
  const send = overSmtp(mailbox.url);
  const mailOf = (job: number, address = 'ann@northwind.example') =>
    send({
      from: { name: 'Portico', address: 'portico@northwind.example' },
      to: { name: '', address },
      subject: 'Hello',
      text: 'Hello',
      html: '<p>Hello</p>',
      language: 'en',
      messageId: `<${job}@northwind.example>`,
      number: job,
      date: new Date(),
    });
  for (const job of [1, 2, 1]) await mailOf(job);
  await mailOf(3, 'ben@northwind.example');
  expect([...mailbox.mailIdsOf('ann@northwind.example')]).toEqual([
    '<1@northwind.example>',
    '<2@northwind.example>',
  ]);
  expect(mailbox.repeats()).toEqual({ excused: 0, unexcused: 1 });
  mailbox.excuseRepeats(true);
  for (const job of [2, 3, 3]) await mailOf(job);
  expect(mailbox.repeats(), 'of what came before it, nothing may come again').toEqual({
    excused: 1,
    unexcused: 2,
  });
  mailbox.excuseRepeats(false);
  await mailOf(3);
  expect(mailbox.repeats(), 'it comes when its lease has run out').toEqual({ excused: 2, unexcused: 2 });
  await mailbox.stop();
});
