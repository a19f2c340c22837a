import type { ReactNode } from 'react';
import { Button } from '#web/ui/button.tsx';
import { RefusalNotice, type FormParts } from '#web/ui/refusal-notice.tsx';

export type ProofParts = { form: FormParts; children: ReactNode };

type Props = {
  form: FormParts;
  act: string;
  badge?: ReactNode;
  /** Beside the reason of a refusal. */
  wayOut?: ReactNode;
  children?: ReactNode;
};

export const PageForm = ({ form, act, badge, wayOut, children }: Props) => (
  <form {...form.props}>
    <RefusalNotice form={form} action={wayOut} />
    {children}
    <Button type="submit" kind="primary" wide badge={badge} busy={form.busy}>
      {act}
    </Button>
  </form>
);

export const WideLink = ({ href, children }: { href: string; children: string }) => (
  <Button href={href} kind="primary" wide>
    {children}
  </Button>
);
