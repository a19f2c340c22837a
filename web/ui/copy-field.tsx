import { Copy } from 'lucide-react';
import { copyText as text } from '#words/copy.ts';
import { copy } from '../lib/copy.ts';
import { TextField, type TextFieldProps } from './field.tsx';
import { IconButton } from './icon-button.tsx';

type Props = Pick<TextFieldProps, 'label' | 'wide'> & { value: string; onCopied?: (worked: boolean) => void };
export function CopyField({ label, wide, value, onCopied }: Props) {
  return (
    <TextField
      label={label}
      wide={wide}
      value={value}
      dir="ltr"
      readOnly
      // A long value shows its beginning, which the selection alone does not bring about as a dialog opens.
      onFocus={({ target }) => {
        target.setSelectionRange(0, value.length, 'backward');
        target.scrollLeft = 0;
      }}
      onCopy={() => onCopied?.(true)}
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
