import { AppWindow } from 'lucide-react';
import type { OwnApplication } from '#contract/applications/own.ts';
import { ownApplicationsText as text } from '#words/own-applications.ts';
import { momentsIn } from '#web/lib/moments.ts';
import { RegistryPage, type RegistryPageProps } from '#web/registry/registry-page.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { latePopup } from '#web/ui/late.tsx';
import { registry } from './own-applications.ts';

const Form = latePopup(async () => (await import('./own-application-dialog.tsx')).OwnApplicationDialog);

const pictureOf = ({ name, icon }: OwnApplication) => <Avatar name={name} src={icon} shape="square" />;

export function OwnApplicationsPage(props: RegistryPageProps) {
  const { moment } = momentsIn(props.user.timeZone);
  return (
    <RegistryPage
      {...props}
      registry={registry}
      icon={<AppWindow />}
      pictureOf={pictureOf}
      fact={{
        head: text.lastUsed,
        cell: ({ lastUsedTime }) => (lastUsedTime ? moment(lastUsedTime) : text.never),
      }}
      Form={Form}
    />
  );
}
