import type { ReactElement } from 'react';
import { activityPageText as text } from '#words/activity-page.ts';
import { Menu, MenuItem } from '#web/ui/menu.tsx';

type Props = { trigger: ReactElement; onTake: (format: 'csv' | 'json') => void };

export function ExportMenu({ trigger, onTake }: Props) {
  return (
    <Menu trigger={trigger}>
      <MenuItem onSelect={() => onTake('csv')}>{text.csv}</MenuItem>
      <MenuItem onSelect={() => onTake('json')}>{text.json}</MenuItem>
    </Menu>
  );
}
