import type { ComponentProps } from 'react';
import { Button } from './button.tsx';
import type { FormParts } from './refusal-notice.tsx';
import { Card } from './sections.tsx';

type Props = ComponentProps<typeof Card> & {
  form: FormParts;
  act: string;
  kind?: 'primary' | 'danger';
};

export const FormCard = ({ form, act, kind = 'primary', ...card }: Props) => (
  <form {...form.props}>
    <Card
      {...card}
      foot={
        <Button kind={kind} type="submit" busy={form.busy}>
          {act}
        </Button>
      }
    />
  </form>
);
