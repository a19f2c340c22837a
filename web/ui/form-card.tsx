import type { ComponentProps } from 'react';
import { Button } from './button.tsx';
import { Card } from './sections.tsx';

type Props = ComponentProps<typeof Card> & {
  form: { props: ComponentProps<'form'>; busy: boolean };
  act: string;
};

export const FormCard = ({ form, act, ...card }: Props) => (
  <form {...form.props}>
    <Card
      {...card}
      foot={
        <Button kind="primary" type="submit" busy={form.busy}>
          {act}
        </Button>
      }
    />
  </form>
);
