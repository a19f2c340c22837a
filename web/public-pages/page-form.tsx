import type { ComponentProps, ReactNode } from 'react';
import { Button } from '#web/ui/button.tsx';

export type FormParts = { props: ComponentProps<'form'>; busy: boolean };

export type ProofParts = { form: FormParts; children: ReactNode };

type Props = { form: FormParts; act: string; badge?: ReactNode; children?: ReactNode };

export const PageForm = ({ form, act, badge, children }: Props) => (
  <form {...form.props}>
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
