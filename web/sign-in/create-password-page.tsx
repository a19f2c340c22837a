import { useEffect, useState } from 'react';
import { members } from '#contract/members/calls.ts';
import { recovery } from '#contract/sign-in/recovery.ts';
import { createPasswordText as text } from '#words/create-password.ts';
import { linkText } from '#words/link.ts';
import { call, CallError } from '#web/lib/call.ts';
import { takeDigest } from '#web/public-pages/digest.ts';
import { leaveFor } from '#web/lib/navigate.ts';
import { PageHead } from '#web/public-pages/page-head.tsx';
import type { PublicPage } from '#web/public-pages/public-page.ts';
import { NewPassword } from './new-password.tsx';
import { Button } from '#web/ui/button.tsx';
import { WideLink } from '#web/public-pages/page-form.tsx';

const digest = takeDigest();

const heads = {
  form: { heading: text.title, lead: text.lead },
  missing: { heading: linkText.missing, lead: text.missingLead },
  used: { heading: linkText.used, lead: text.deadLead },
  expired: { heading: linkText.expired, lead: text.deadLead },
};
const waysOn = (
  <>
    <WideLink href="/login">{text.signIn}</WideLink>
    <Button href="/forgotpassword" wide>
      {text.newLink}
    </Button>
    <p>{text.invited}</p>
  </>
);

/** Whether the link comes from confirming an address. Every other link is an invitation. */
const isConfirmed = () => new URLSearchParams(location.search).get('confirmed') === 'true';

/** For an invitation it names inviter, organization and role, or opens its page if no password is needed. */
async function leadOf(digest: string): Promise<string> {
  if (isConfirmed()) return text.lead;
  const toInvitation = () => leaveFor(`/invitation?digest=${digest}`, { replace: true });
  try {
    const { state, invitedBy: inviter, organization, role } = await call(members.invitation, { digest });
    if (state !== 'create_password') await toInvitation();
    return text.invitedLead({ inviter, organization, role });
  } catch (failure) {
    if (!(failure instanceof CallError)) throw failure;
    if (failure.code.startsWith('digest_')) await toInvitation();
    return text.lead;
  }
}

function CreatePasswordPage() {
  const [lead, setLead] = useState<string | undefined>(digest === undefined ? text.lead : undefined);
  useEffect(() => {
    if (digest !== undefined) void leadOf(digest).then(setLead);
  }, []);
  if (lead === undefined) return <PageHead heading={text.title} lead={text.checking} />;
  return (
    <NewPassword
      digest={digest}
      call={recovery.createPassword}
      isFirst
      heads={{ ...heads, form: { ...heads.form, lead } }}
      submit={text.submit}
      waysOn={waysOn}
      onDone={() => leaveFor('/', { replace: true })}
    />
  );
}

export const page: PublicPage = { title: text.title, View: CreatePasswordPage };
