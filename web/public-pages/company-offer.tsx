import {
  type ComponentProps,
  type ComponentType,
  type SubmitEvent,
  useEffect,
  useEffectEvent,
  useState,
} from 'react';
import { askedQuery } from '#web/lib/navigate.ts';
import { whileBusy } from '#web/lib/while-busy.ts';
import { Button } from '#web/ui/button.tsx';
import type { FormParts } from '#web/ui/refusal-notice.tsx';
import { domainIn } from './asked-company.ts';
import type { CompanyLine, CompanyWay } from './company-line.tsx';

// Its code loads with the first whole address, because few people have a company here.
const loadLine = () => import('./company-line.tsx');

type Form = FormParts & {
  values: { email: string; password: string };
  set: (name: 'password', value: '') => void;
};

/** A form with a password, or with the company's sign-in in its place if the company's rule asks for it. */
export function useCompanyWay(form: Form) {
  const { email, password } = form.values;
  const [way, setWay] = useState<CompanyWay>();
  const [wantsOwnWay, setWantsOwnWay] = useState(false);
  const [busy, setBusy] = useState(false);
  const instead = wantsOwnWay || password !== '' ? undefined : way;
  // The password was right, but it opens nothing here.
  const fold = useEffectEvent(({ requiredWay }: { requiredWay: () => CompanyWay }) => {
    form.set('password', '');
    setWay(requiredWay());
    setWantsOwnWay(false);
  });
  const refused = form.refusal?.code === 'company_sign_in_required' ? form.refusal : undefined;
  useEffect(() => {
    // Without the code the notice still says what to do.
    if (refused) loadLine().then(fold, () => undefined);
  }, [refused]);
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (instead) void whileBusy(setBusy, () => instead.visit(email));
  };
  return {
    /** Undefined while the form takes a password. */
    instead: instead && { act: instead.act, form: { ...form, props: { ...form.props, onSubmit }, busy } },
    /** For below the form. */
    offer: (
      <>
        <Offer typed={email} isShown={instead !== undefined} onRequired={setWay} />
        {instead && (
          <Button wide kind="quiet" onClick={() => setWantsOwnWay(true)}>
            {instead.otherWay}
          </Button>
        )}
      </>
    ),
  };
}

function Offer(props: ComponentProps<typeof CompanyLine>) {
  const [Line, setLine] = useState<ComponentType<typeof props>>();
  const isNeeded = domainIn(props.typed) !== undefined;
  useEffect(() => {
    if (!isNeeded && !/[?&](company|left)=/.test(askedQuery())) return;
    // Nobody asked, so a failure stays silent.
    loadLine().then(
      ({ CompanyLine }) => setLine(() => CompanyLine),
      () => undefined,
    );
  }, [isNeeded]);
  return Line && <Line {...props} />;
}
