import { Copy } from 'lucide-react';
import { copyText as text } from '#words/copy.ts';
import { copy } from '../lib/copy.ts';
import { TextField } from './field.tsx';
import { IconButton } from './icon-button.tsx';

type Props = { label: string; value: string; onCopied?: (worked: boolean) => void };
export function CopyField({ label, value, onCopied }: Props) {
  return (
    <TextField
      label={label}
      value={value}
      readOnly
      onFocus={({ target }) => target.select()}
      end={
        <IconButton
          name={text.copy({ label })}
          icon={<Copy />}
          onClick={() => void copy(value).then(onCopied)}
        />
      }
    />
  );
}
