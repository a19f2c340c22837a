import { mailText } from '#words/mail.ts';
import { mailOf } from '#server/mail/frame.ts';

/** To a former address that may belong to another person by now. Its reader decides. */
export const wayBackMail = ({ host, origin }: URL) =>
  mailOf(mailText.wayBack, { host }, `${origin}/restoreemail?digest={{digest}}`);

/** To the address that the account loses when its former one is taken back. */
export const setBackMail = ({ host }: URL) => mailOf(mailText.setBack, { host });
