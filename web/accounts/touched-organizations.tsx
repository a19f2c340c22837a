import type { TouchedOrganization } from '#contract/accounts/deletion.ts';
import { deletionText as text } from '#words/deletion.ts';
import { Pill, type PillTone } from '#web/ui/pill.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import styles from './delete-account.module.css';
import { Named } from '#web/ui/named.tsx';

const tones: Record<TouchedOrganization['effect'], PillTone> = {
  leaves: 'neutral',
  goes: 'warn',
  blocks: 'bad',
};
type Props = { organizations: readonly TouchedOrganization[] | undefined };

export function TouchedOrganizations({ organizations }: Props) {
  if (organizations?.length === 0) return <p>{text.noOrganizations}</p>;
  return (
    <ul className={styles.organizations}>
      {organizations?.map(({ id, name, urlName, effect }) => (
        <li key={id}>
          <div className={styles.name}>
            <h3>
              <Named>{name}</Named>
            </h3>
            <Pill tone={tones[effect]}>{text[effect]}</Pill>
          </div>
          <p>{text[`${effect}Effect`]}</p>
          {effect === 'blocks' && <a href={`/${urlName}/organization`}>{text.toMembers({ name })}</a>}
        </li>
      )) ?? (
        <li>
          <Skeleton width="third" />
          <Skeleton width="most" />
        </li>
      )}
    </ul>
  );
}
