import type { Output } from '#contract/endpoint.ts';
import type { waysIn } from '#contract/sign-in/ways-in.ts';
import { authenticatorDialogText } from '#words/authenticator-dialog.ts';
import { recoveryCodeText } from '#words/recovery-code.ts';
import { waysInText as text } from '#words/ways-in.ts';

export function twoStepHint(isOn: boolean, hasPassword: boolean, requiredBy: string | null) {
  if (isOn) return hasPassword ? text.afterPassword : text.afterLinked;
  if (hasPassword && requiredBy !== null) return text.passwordOpensExcept({ organization: requiredBy });
  return hasPassword ? text.passwordOpens : text.linkedOpens;
}

type App = NonNullable<Output<typeof waysIn.read>['app']>;
export const appWords = ({ createdTime, lastUsedTime }: App, moment: (time: Date) => string) =>
  lastUsedTime
    ? text.appUsed({ added: moment(createdTime), used: moment(lastUsedTime) })
    : text.appUnused({ added: moment(createdTime) });

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
