import { stepUpText as text } from '#words/step-up.ts';
import { LinkButton } from '#web/ui/link-button.tsx';
import styles from './proof.module.css';

type Props = { ways: readonly { name: string | undefined; choose: () => void }[] };

export const OtherWays = ({ ways }: Props) =>
  ways.length > 0 && (
    <div className={styles.others}>
      <p>{text.orProve}</p>
      <ul>
        {ways.map(({ name, choose }) => (
          <li key={name}>
            <LinkButton onClick={choose}>{name}</LinkButton>
          </li>
        ))}
      </ul>
    </div>
  );
