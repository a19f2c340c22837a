import type { Output } from '#contract/endpoint.ts';
import type { waysIn } from '#contract/sign-in/ways-in.ts';
import { authenticatorDialogText } from '#contract/text/authenticator-dialogs.ts';
import { recoveryCodeText } from '#contract/text/recovery-codes.ts';
import { waysInText as text } from '#contract/text/ways-in.ts';
import { fill } from '#contract/text.ts';

export function twoStepHint(isOn: boolean, hasPassword: boolean) {
  if (isOn) return hasPassword ? text.afterPassword : text.afterLinked;
  return hasPassword ? text.passwordOpens : text.linkedOpens;
}

type App = NonNullable<Output<typeof waysIn.read>['app']>;
export const appWords = ({ createdTime, lastUsedTime }: App, moment: (time: Date) => string) =>
  lastUsedTime
    ? fill(text.appUsed, { added: moment(createdTime), used: moment(lastUsedTime) })
    : fill(text.appUnused, { added: moment(createdTime) });

export const removeAppWords = {
  title: authenticatorDialogText.removeTitle,
  act: authenticatorDialogText.removeAct,
  children: authenticatorDialogText.removeEffect,
  destructive: true,
};
export const renewCodesWords = {
  title: recoveryCodeText.renewTitle,
  act: recoveryCodeText.renew,
  children: recoveryCodeText.renewEffect,
  destructive: true,
};
