import { useId, useState } from 'react';
import type { OrgId } from '#contract/wire.ts';
import { authorizeText as text } from '#words/authorize.ts';
import { Button } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { entryUrl } from './asked-request.ts';
import styles from './authorize-page.module.css';
import { Named } from '#web/ui/named.tsx';

type Organization = {
  readonly id: OrgId;
  readonly name: string;
  readonly urlName: string;
  readonly mayEnter: boolean;
  readonly needs: 'company' | 'second-step' | null;
};
type Props = {
  application: string;
  organizations: readonly Organization[];
  busy: boolean;
  onChosen: (orgId: OrgId, remember: boolean) => void;
};

export function ChooseOrganization({ application, organizations, busy, onChosen }: Props) {
  const [orgId, setOrgId] = useState(organizations.find(({ mayEnter }) => mayEnter)?.id);
  const [remember, setRemember] = useState(false);
  const id = useId();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (orgId !== undefined) onChosen(orgId, remember);
      }}
    >
      <fieldset className={styles.organizations}>
        <legend className="visually-hidden">{text.organizationLabel}</legend>
        {organizations.map((organization) => (
          <label key={organization.id} className={styles.organization}>
            <input
              type="radio"
              name={id}
              checked={organization.id === orgId}
              disabled={!organization.mayEnter}
              onChange={() => setOrgId(organization.id)}
            />
            <span>
              <span>
                <Named>{organization.name}</Named>
              </span>
              {!organization.mayEnter && <Obstacle organization={organization} application={application} />}
            </span>
          </label>
        ))}
      </fieldset>
      <Checkbox
        label={text.remember({ application })}
        checked={remember}
        onChange={({ target }) => setRemember(target.checked)}
      />
      <Button type="submit" kind="primary" wide busy={busy}>
        {text.goOn}
      </Button>
    </form>
  );
}
function Obstacle({ organization, application }: { organization: Organization; application: string }) {
  const { needs, urlName, name } = organization;
  if (needs === null) return <small>{text.notHere({ application })}</small>;
  const words = needs === 'company' ? text.company : text.secondStep;
  return (
    <small>
      <a href={entryUrl(needs, urlName)}>{words({ organization: name })}</a>
    </small>
  );
}
