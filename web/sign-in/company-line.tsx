import { useEffect, useState } from 'react';
import { companyVisits } from '#contract/company-sign-in/visits.ts';
import { plainAddress } from '#contract/split-by-bytes/field-parts.ts';
import { companyLineText as text } from '#words/company-line.ts';
import { call } from '#web/lib/call.ts';
import { askedPath, askedQuery, leaveFor } from '#web/lib/navigate.ts';
import { typedEmail } from '#web/lib/stored-text.ts';
import { useCall } from '#web/lib/use-call.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { askedCompany, domainIn } from './asked-company.ts';

const PAUSE_MS = 400;
/** A domain is asked for once in a visit. */
const known = new Map<string, Promise<boolean>>();

function isConnected(domain: string) {
  // The server needs only the domain, so the address stays here until the person chooses the company.
  const asked =
    known.get(domain) ??
    call(companyVisits.discover, { email: `x@${domain}` }).then(
      ({ available }) => available,
      () => false,
    );
  known.set(domain, asked);
  return asked;
}

/** Offers the company's sign-in to an address of a connected domain, or to people whom the company sent here. */
export function CompanyLine({ typed }: { typed: string }) {
  const domain = domainIn(typed);
  const [connected, setConnected] = useState<string>();
  useEffect(() => {
    if (domain === undefined) return undefined;
    let isCurrent = true;
    const timer = setTimeout(() => {
      void isConnected(domain).then((found) => isCurrent && setConnected(found ? domain : undefined));
    }, PAUSE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [domain]);
  const { run, busy } = useCall(companyVisits.start);
  const company = askedCompany(askedQuery());
  const isOfDomain = domain !== undefined && connected === domain;
  if (!isOfDomain && company === undefined) return null;
  const start = async () => {
    const email = plainAddress(typed);
    typedEmail.keep(email);
    const redirectPath = askedPath();
    const answer = await run({
      ...(isOfDomain ? { email } : { company }),
      ...(redirectPath !== undefined && { redirectPath }),
    });
    if (answer) await leaveFor(answer.authUrl);
  };
  return (
    <Button wide icon={<Icon d={BUILDING} />} busy={busy} onClick={() => void start()}>
      {text.goOn}
    </Button>
  );
}

const BUILDING = 'M4 21V4h10v17M14 9h6v12M2 21h20M8 8h2M8 12h2M8 16h2M17 13v0M17 17v0';
