import { codeText as text } from '#contract/text/code.ts';
import { Icon } from '#web/ui/icon.tsx';
import styles from './code-form.module.css';

/** Back to address and password. */
export const BackButton = ({ onPress }: { onPress: () => void }) => (
  <button type="button" className={styles.back} onClick={() => onPress()}>
    <Icon d="M19 12H5M12 19l-7-7 7-7" />
    {text.back}
  </button>
);
