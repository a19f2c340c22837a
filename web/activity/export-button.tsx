import { Download } from 'lucide-react';
import type { ComponentProps } from 'react';
import { activityPageText as text } from '#words/activity-page.ts';
import { Button } from '#web/ui/button.tsx';
import { useLateMenu } from '#web/ui/late.tsx';
import type { ExportMenu } from './export-menu.tsx';

const loadMenu = async () => (await import('./export-menu.tsx')).ExportMenu;

type Props = Omit<ComponentProps<typeof ExportMenu>, 'trigger'> & { busy: boolean };

export function ExportButton({ onTake, busy }: Props) {
  const { Menu, button, untilThen } = useLateMenu(loadMenu);
  const face = { ref: button, icon: <Download />, busy, children: text.export };
  return Menu ? <Menu onTake={onTake} trigger={<Button {...face} />} /> : <Button {...face} {...untilThen} />;
}
