import type { authorization } from '#contract/applications/authorization.ts';
import type { Output } from '#contract/endpoint.ts';
import { product } from '#contract/product.ts';
import { authorizeText as text } from '#words/authorize.ts';
import styles from './application-head.module.css';
import { Named } from '#web/ui/named.tsx';

type Props = { application: Output<typeof authorization.show>['application'] };

export function ApplicationHead({ application: { name, icon, organization, isFirstParty, host } }: Props) {
  const owner =
    organization === null && !isFirstParty
      ? text.fromOthers
      : text.from({ owner: organization ?? product.name });
  return (
    <div className={styles.head}>
      <span className={styles.tile} data-letter={Array.from(name)[0]?.toUpperCase()} aria-hidden="true">
        {icon !== null && <img src={icon} alt="" />}
      </span>
      <p>
        <strong>
          <Named>{name}</Named>
        </strong>
        <span>{owner}</span>
        <span>{host ?? text.onDevice}</span>
      </p>
    </div>
  );
}
