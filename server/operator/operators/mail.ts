import { deskMailText } from '#words/desk-mail.ts';
import { mailOf } from '#server/mail/frame.ts';

export type DeskEvent = keyof typeof deskMailText;
/** To operators, about one of them. */
export const deskMail = (event: DeskEvent, who: string) => mailOf(deskMailText[event], { who });
