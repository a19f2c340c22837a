import { Menu as Base } from '@base-ui/react/menu';
import { Check } from 'lucide-react';
import { useRef, type ReactElement, type ReactNode } from 'react';
import { classNames } from './class-names.ts';
import styles from './menu.module.css';

interface MenuProps {
  /** The button that opens the menu. */
  trigger: ReactElement;
  align?: 'start' | 'end';
  children: ReactNode;
}

export function Menu({ trigger, align = 'end', children }: MenuProps) {
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
            align={align}
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

/** An act in a menu. */
export function MenuItem(props: ItemProps & { onSelect: () => void; danger?: boolean; disabled?: boolean }) {
  const { icon, children, onSelect, danger, disabled } = props;
  return (
    <Base.Item
      className={classNames(styles.item, danger && styles.danger)}
      disabled={disabled}
      onClick={onSelect}
    >
      {icon}
      <span className={styles.text}>{children}</span>
    </Base.Item>
  );
}

/** A link in a menu. `render` takes a router's own link. */
export function MenuLink(props: ItemProps & ({ href: string; newTab?: boolean } | { render: ReactElement })) {
  const { icon, children } = props;
  const link =
    'render' in props
      ? { render: props.render }
      : { href: props.href, ...(props.newTab && { target: '_blank', rel: 'noreferrer' }) };
  return (
    <Base.LinkItem {...link} className={styles.item} closeOnClick>
      {icon}
      <span className={styles.text}>{children}</span>
    </Base.LinkItem>
  );
}

/** A heading of the menu, such as the person's name and role. Not an item. */
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

/** A choice of one among a few. The menu stays open, so that the effect is visible. */
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
