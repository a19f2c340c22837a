import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type RememberedBrowser, rememberedBrowsers } from '#contract/sign-in/remembered-browsers.ts';
import { rememberedText as text } from '#contract/text/remembered-browsers.ts';
import { fill } from '#contract/text.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { useCall } from '#web/lib/use-call.ts';
import { Confirm } from '#web/ui/confirm.tsx';
import { nextAct } from '#web/ui/next-act.ts';
import { deviceName, rememberedQuery } from './queries.ts';

type Props = { browser: RememberedBrowser | undefined; onClose: () => void };

export function ForgetDialog({ browser, onClose }: Props) {
  const client = useQueryClient();
  const { run } = useCall(rememberedBrowsers.forget);
  const [next] = useState(
    () => nextAct() ?? document.querySelector<HTMLElement>('main td:last-child button'),
  );
  return (
    <Confirm
      onClose={onClose}
      title={browser ? text.forgetTitle : text.allTitle}
      act={browser ? text.forgetAct : text.all}
      destructive
      after={next}
      onConfirm={async () => {
        if (!(await run(browser ? { id: browser.id } : {}))) return false;
        await client.invalidateQueries(rememberedQuery);
        showAlert({ kind: 'success', text: browser ? text.forgotten : text.allDone });
        return true;
      }}
    >
      {browser
        ? fill(text.forgetEffect, { browser: deviceName(browser), location: browser.location })
        : text.allEffect}
    </Confirm>
  );
}
