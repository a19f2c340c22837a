import { useEffect, useState } from 'react';
import { companyVisits } from '#contract/company-sign-in/visits.ts';
import type { Output } from '#contract/endpoint.ts';
import { plainAddress } from '#contract/split-by-bytes/field-parts.ts';
import { companyLineText as text } from '#words/company-line.ts';
import { call } from '#web/lib/call.ts';
import { askedPath, askedQuery, LEFT_COMPANY } from '#web/lib/navigate.ts';
import { typedEmail } from '#web/lib/stored-text.ts';
import { whileBusy } from '#web/lib/while-busy.ts';
import { visitCompany } from './company-visit.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { askedCompany, domainIn } from './asked-company.ts';
import { CompanySignOut } from './company-sign-out.tsx';

const PAUSE_MS = 400;
type Offer = Output<typeof companyVisits.discover> | undefined;
/** A domain is asked for once in a visit. */
const knownOffers = new Map<string, Promise<Offer>>();

function offerFor(domain: string) {
  // The server needs only the domain, so the address stays here until the person chooses the company.
  const asked =
    knownOffers.get(domain) ?? call(companyVisits.discover, { email: `x@${domain}` }).catch(() => undefined);
  knownOffers.set(domain, asked);
  return asked;
}

async function visit(typed: string, company?: string) {
  const email = plainAddress(typed);
  typedEmail.keep(email);
  const redirectPath = askedPath();
  await visitCompany({
    ...(company === undefined ? { email } : { company }),
    ...(redirectPath !== undefined && { redirectPath }),
  });
}

/** The company's sign-in, in place of a password that the company's rule does not take. */
export const requiredWay = () => ({ act: text.goOn, otherWay: text.otherWay, visit });
export type CompanyWay = ReturnType<typeof requiredWay>;

type Props = {
  typed: string;
  /** The form shows it already. */
  isShown: boolean;
  onRequired: (way: CompanyWay | undefined) => void;
};

/** Offers the company's sign-in to an address of a connected domain, or to people whom the company sent here; after it, its sign-out. */
export function CompanyLine({ typed, isShown, onRequired }: Props) {
  const domain = domainIn(typed);
  const [found, setFound] = useState<{ domain: string; offer: Offer }>();
  useEffect(() => {
    if (domain === undefined) return undefined;
    let isCurrent = true;
    const timer = setTimeout(() => {
      void offerFor(domain).then((offer) => isCurrent && setFound({ domain, offer }));
    }, PAUSE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [domain]);
  const [busy, setBusy] = useState(false);
  const company = askedCompany(askedQuery());
  const offer = domain !== undefined && found?.domain === domain ? found.offer : undefined;
  const isOfDomain = offer?.available === true;
  const isRequired = isOfDomain && offer.required;
  useEffect(() => onRequired(isRequired ? requiredWay() : undefined), [isRequired, onRequired]);
  if (askedQuery().includes(LEFT_COMPANY) && domain === undefined) return <CompanySignOut />;
  if (isShown || (!isOfDomain && company === undefined)) return null;
  return (
    <Button
      wide
      icon={<Icon d={BUILDING} />}
      busy={busy}
      onClick={() => void whileBusy(setBusy, () => visit(typed, isOfDomain ? undefined : company))}
    >
      {text.goOn}
    </Button>
  );
}

const BUILDING = 'M4 21V4h10v17M14 9h6v12M2 21h20M8 8h2M8 12h2M8 16h2M17 13v0M17 17v0';
