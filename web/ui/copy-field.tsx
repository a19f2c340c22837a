import { Copy } from 'lucide-react';
import { copyText as text } from '#contract/text/copy.ts';
import { fill } from '#contract/text.ts';
import { copy } from '../lib/copy.ts';
import { TextField } from './field.tsx';
import { IconButton } from './icon-button.tsx';

export function CopyField({ label, value }: { label: string; value: string }) {
  return (
    <TextField
      label={label}
      value={value}
      readOnly
      onFocus={({ target }) => target.select()}
      end={<IconButton name={fill(text.copy, { label })} icon={<Copy />} onClick={() => void copy(value)} />}
    />
  );
}
