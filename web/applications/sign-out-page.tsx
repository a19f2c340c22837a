import { useEffect, useState } from 'react';
import { applicationSignOut } from '#contract/applications/sign-outs.ts';
import type { Output } from '#contract/endpoint.ts';
import { PRODUCT_NAME } from '#contract/limits.ts';
import { authorizeText as text } from '#contract/text/authorize.ts';
import { fill } from '#contract/text.ts';
import { call, CallError } from '#web/lib/call.ts';
import { askedQuery, leaveFor } from '#web/lib/navigate.ts';
import { tellSignedOut } from '#web/lib/stored-text.ts';
import { useCall } from '#web/lib/use-call.ts';
import { PageHead } from '#web/public-pages/page-head.tsx';
import type { PublicPage } from '#web/public-pages/public-page.ts';
import { Button } from '#web/ui/button.tsx';

type Request = Output<typeof applicationSignOut.showSignOut>;

/** Asks before an application signs the person out. */
function SignOutPage() {
  const [request, setRequest] = useState<Request | 'opening' | 'expired' | 'signed-out'>('opening');
  const id = new URLSearchParams(askedQuery()).get('request') ?? '';
  useEffect(() => {
    call(applicationSignOut.showSignOut, { request: id }).then(setRequest, (failure: unknown) => {
      const isSignedOut = failure instanceof CallError && failure.code === 'not_signed_in';
      setRequest(isSignedOut ? 'signed-out' : 'expired');
    });
  }, [id]);
  const { run, busy } = useCall(applicationSignOut.confirmSignOut, {
    authorization_expired: () => setRequest('expired'),
    not_signed_in: () => setRequest('signed-out'),
  });
  const leave = async () => {
    const done = await run({ request: id });
    if (!done) return;
    tellSignedOut();
    await leaveFor(done.url, { replace: true });
  };
  if (request === 'opening') return <PageHead heading={text.opening} lead="" />;
  if (request === 'signed-out')
    return (
      <>
        <PageHead heading={text.signedOut} lead={fill(text.signedOutLead, { product: PRODUCT_NAME })} />
        <Button wide href="/login">
          {text.signIn}
        </Button>
      </>
    );
  if (request === 'expired')
    return (
      <>
        <PageHead heading={text.expired} lead={text.expiredLead} />
        <Button wide href="/">
          {fill(text.home, { product: PRODUCT_NAME })}
        </Button>
      </>
    );
  const names = { application: request.application ?? text.someApplication, product: PRODUCT_NAME };
  return (
    <>
      <PageHead heading={text.signOut} lead={fill(text.signOutLead, names)} />
      <Button kind="primary" wide busy={busy} onClick={() => void leave()}>
        {text.signOutNow}
      </Button>
      <Button wide href="/">
        {text.stay}
      </Button>
    </>
  );
}

export const page: PublicPage = { title: text.signOut, View: SignOutPage };
