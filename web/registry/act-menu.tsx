import type { ReactElement } from 'react';
import { Menu, MenuItem } from '#web/ui/menu.tsx';
import { type Act, actIcons, actsOn } from './acts.tsx';
import type { Entry, Registry } from './registry.ts';

type Props = { trigger: ReactElement; registry: Registry<Entry>; entry: Entry; onAct: (act: Act) => void };

export const ActMenu = ({ trigger, registry, entry, onAct }: Props) => (
  <Menu trigger={trigger}>
    {actsOn(registry, entry).map((act) => (
      <MenuItem key={act} icon={actIcons[act]} onSelect={() => onAct(act)}>
        {registry.text[`${act}Act`]}
      </MenuItem>
    ))}
  </Menu>
);
