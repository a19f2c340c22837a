import { dataExportMail } from '#contract/text/data-export.ts';
import { mailOf } from '#server/mail/frame.ts';

/** To the person whose archive is ready. The page asks for a proof, so the link carries no secret. */
export const exportReadyMail = ({ origin }: URL) =>
  mailOf(dataExportMail, {}, `${origin}/account/deleteaccount`);
