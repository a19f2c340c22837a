import { useRef } from 'react';
import { ICON_TYPE } from '#contract/split-by-bytes/area-limits.ts';
import { drive } from '#contract/drive/calls.ts';
import { UPLOAD_PERMISSION } from '#contract/limits.ts';
import { type Organization, organizationSettings } from '#contract/organizations/calls.ts';
import { organizationText as text } from '#words/organization.ts';
import { call } from '#web/lib/call.ts';
import { useCardForm } from '#web/lib/edit-form.ts';
import { ImagePicker } from '#web/ui/image-picker.tsx';
import { type UploadOptions, upload } from '#web/lib/upload.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { FormCard } from '#web/ui/form-card.tsx';
import { TextField } from '#web/ui/field.tsx';
import styles from './application-card.module.css';

type Props = { organization: Organization; onChanged: (changed: Partial<Organization>) => void };

export function ApplicationCard({ organization, onChanged }: Props) {
  const form = useCardForm(organizationSettings.update, {
    initial: { applicationName: organization.applicationName },
    toInput: ({ applicationName }) => ({ orgId: organization.id, applicationName }),
    stored: ({ applicationName }) => ({ applicationName }),
    onDone: (saved) => {
      onChanged(saved);
      showAlert({ kind: 'success', text: text.applicationSaved });
    },
  });
  const icon = { organization, onChanged };
  return (
    <FormCard form={form} act={text.saveChanges} title={text.application} lead={text.applicationLead}>
      <div className={styles.columns}>
        <TextField
          label={text.applicationName}
          hint={text.applicationNameHint}
          {...form.field('applicationName')}
          name="application-name"
          autoComplete="off"
          required
        />
        <IconChoice {...icon} name={text.darkIcon} type={ICON_TYPE.dark} src={organization.darkIcon} />
        <IconChoice {...icon} name={text.lightIcon} type={ICON_TYPE.light} src={organization.lightIcon} />
      </div>
    </FormCard>
  );
}

type IconProps = Props & { name: string; type: (typeof ICON_TYPE)[keyof typeof ICON_TYPE]; src: string };

function IconChoice({ organization, onChanged, name, type, src }: IconProps) {
  const send = async (file: File, sending: UploadOptions) => {
    const here = { orgId: organization.id, iconType: type };
    const permission = `${UPLOAD_PERMISSION}` as const;
    const { fileId } = await upload(drive.uploadIcon, { ...here, file, permission }, sending);
    const { darkIcon, lightIcon } = await call(drive.setIcon, { ...here, fileId });
    onChanged({ darkIcon, lightIcon });
    showAlert({ kind: 'success', text: text.iconSaved });
  };
  const icon = type === ICON_TYPE.dark ? 'dark' : 'other';
  const element = useRef<HTMLDivElement>(null);
  return (
    <div ref={element} className={styles.icon}>
      <img src={src} alt={name} className={type === ICON_TYPE.dark ? styles.dark : styles.light} />
      <div>
        <div className={styles.name}>{name}</div>
        <ImagePicker
          title={text.cropIcon({ icon })}
          label={text.replace}
          name={text.replaceIcon({ icon })}
          send={send}
          dropTarget={element}
        />
        <div className={styles.drop}>{text.orDrop}</div>
      </div>
    </div>
  );
}
