import { Menu as Base } from '@base-ui/react/menu';
import { Check } from 'lucide-react';
import { useRef, type ReactElement, type ReactNode } from 'react';
import styles from './menu.module.css';

export function Menu({ trigger, children }: { trigger: ReactElement; children: ReactNode }) {
  const container = useRef<HTMLSpanElement>(null);
  return (
    <span ref={container} className={styles.place}>
      <Base.Root>
        <Base.Trigger render={trigger} />
        {/* Inside this element, so that it stays in the same landmark. Fixed, so that nothing clips it. */}
        <Base.Portal container={container}>
          <Base.Positioner
            className={styles.positioner}
            positionMethod="fixed"
            sideOffset={6}
            align="end"
            collisionPadding={8}
          >
            <Base.Popup className={styles.popup}>{children}</Base.Popup>
          </Base.Positioner>
        </Base.Portal>
      </Base.Root>
    </span>
  );
}

interface ItemProps {
  icon?: ReactNode;
  children: ReactNode;
}

export const MenuItem = ({ icon, children, onSelect }: ItemProps & { onSelect: () => void }) => (
  <Base.Item className={styles.item} onClick={onSelect}>
    {icon}
    <span className={styles.text}>{children}</span>
  </Base.Item>
);

export const MenuLink = ({ icon, children, render }: ItemProps & { render: ReactElement }) => (
  <Base.LinkItem render={render} className={styles.item} closeOnClick>
    {icon}
    <span className={styles.text}>{children}</span>
  </Base.LinkItem>
);

export function MenuHead({ children }: { children: ReactNode }) {
  return <div className={styles.head}>{children}</div>;
}

export function MenuSeparator() {
  return <Base.Separator className={styles.separator} />;
}

interface ChoiceProps<Value extends string> {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  options: readonly { value: Value; label: string; icon?: ReactNode }[];
}

export function MenuChoice<Value extends string>({ label, value, onChange, options }: ChoiceProps<Value>) {
  return (
    <Base.Group>
      <Base.GroupLabel className={styles.label}>{label}</Base.GroupLabel>
      <Base.RadioGroup value={value} onValueChange={onChange}>
        {options.map((option) => (
          <Base.RadioItem key={option.value} value={option.value} className={styles.item}>
            {option.icon}
            <span className={styles.text}>{option.label}</span>
            <Base.RadioItemIndicator className={styles.tick}>
              <Check />
            </Base.RadioItemIndicator>
          </Base.RadioItem>
        ))}
      </Base.RadioGroup>
    </Base.Group>
  );
}
