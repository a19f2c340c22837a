import { useQuery } from '@tanstack/react-query';
import { applicationIcons } from '#contract/applications/icons.ts';
import type { OwnApplication } from '#contract/applications/own.ts';
import { UPLOAD_PERMISSION } from '#contract/limits.ts';
import { ownApplicationsText as text } from '#words/own-applications.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { momentsIn } from '#web/lib/moments.ts';
import { type UploadOptions, upload } from '#web/lib/upload.ts';
import { rolesQuery } from '#web/members/roles-query.ts';
import { EntryPage, type EntryPageProps, type PartProps } from '#web/registry/entry-page.tsx';
import { useChanged } from '#web/registry/registry.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Button } from '#web/ui/button.tsx';
import { CopyField } from '#web/ui/copy-field.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { ImagePicker } from '#web/ui/image-picker.tsx';
import { latePopup } from '#web/ui/late.tsx';
import { Card, FieldGrid } from '#web/ui/sections.tsx';
import { registry } from './own-applications.ts';

const Form = latePopup(async () => (await import('./own-application-dialog.tsx')).OwnApplicationDialog);

export const OwnApplicationPage = (props: EntryPageProps) => (
  <EntryPage {...props} registry={registry} Form={Form} About={Setup} More={Settings} />
);

type Props = PartProps<OwnApplication>;

const Setup = ({ entry: { clientId } }: Props) => (
  <FieldGrid>
    <CopyField label={text.clientId} value={clientId} />
    <CopyField label={text.issuer} value={location.origin} />
    <CopyField label={text.discovery} value={`${location.origin}/.well-known/openid-configuration`} wide />
  </FieldGrid>
);

function Settings({ orgId, entry, zone }: Props) {
  const { data: roles = [] } = useQuery(rolesQuery(orgId));
  const { kind, startUrl, redirectUrls, signedOutUrls, signOutUrl, isForEveryone, roleIds } = entry;
  const { moment } = momentsIn(zone);
  const chosen = roles.filter(({ id }) => roleIds.includes(id)).map(({ name }) => name);
  const test = startUrl !== '' && (
    <Button href={startUrl} target="_blank" rel="noreferrer">
      {text.test}
    </Button>
  );
  return (
    <Card title={text.settings} actions={test}>
      <Facts
        facts={{
          [text.icon]: <Icon key={text.icon} orgId={orgId} entry={entry} />,
          [text.kind]: text.kinds[kind],
          [text.startUrl]: kind !== 'server' && (startUrl || text.noStart),
          [text.redirectUrls]: redirectUrls,
          [text.signedOutUrls]: signedOutUrls,
          [text.signOutUrl]: signOutUrl,
          [text.access]: isForEveryone ? text.everyone : roleIds.length > 0 ? chosen : text.nobody,
          [text.lastUsed]: entry.lastUsedTime ? moment(entry.lastUsedTime) : text.never,
        }}
      />
    </Card>
  );
}

function Icon({ orgId, entry }: Pick<Props, 'orgId' | 'entry'>) {
  const refresh = useChanged(registry, orgId);
  const send = async (file: File, sending: UploadOptions) => {
    const permission = `${UPLOAD_PERMISSION}` as const;
    const input = { orgId, applicationId: entry.id, file, permission };
    await refresh(await upload(applicationIcons.uploadApplicationIcon, input, sending));
    showAlert({ kind: 'success', text: text.iconSaved });
  };
  return (
    <>
      <Avatar name={entry.name} src={entry.icon} shape="square" />
      <ImagePicker title={text.cropIcon(entry)} label={text.chooseIcon} name={text.chooseIcon} send={send} />
    </>
  );
}
