import type { ComponentPropsWithRef, MouseEvent, ReactNode } from 'react';
import styles from './button.module.css';
import { classNames } from './class-names.ts';
import { Spinner } from './spinner.tsx';

export interface Look {
  /** `danger` destroys something. `danger-plain` opens the dialog that asks first. */
  kind?: 'primary' | 'plain' | 'quiet' | 'danger' | 'danger-plain' | undefined;
  size?: 'normal' | 'small' | undefined;
  wide?: boolean | undefined;
}
export interface Act extends Omit<ComponentPropsWithRef<'button'>, 'style'> {
  href?: never;
  /** Blocks presses but keeps the focus. Give the reason with `aria-describedby`. */
  disabled?: boolean | undefined;
  /** Shows progress, keeps width and focus, and blocks further presses. */
  busy?: boolean | undefined;
}
export interface Way extends Omit<ComponentPropsWithRef<'a'>, 'style'> {
  href: string;
  busy?: never;
}
type Element = Act | Way;

/** A `badge` positions itself on the edge of the button. */
type ButtonProps = Look & { icon?: ReactNode; badge?: ReactNode } & Element;

export function buttonClass(
  { kind = 'plain', size = 'normal', wide }: Look = {},
  ...more: (string | false | undefined)[]
) {
  return classNames(styles.button, styles[kind], styles[size], wide && styles.wide, ...more);
}

function refuse(event: MouseEvent) {
  event.preventDefault();
  event.stopPropagation();
}

export function drawButton(element: Element, className: string, content: ReactNode) {
  if (element.href !== undefined) {
    const { busy: _, ...link } = element;
    return (
      <a {...link} className={classNames(className, element.className)}>
        {content}
      </a>
    );
  }
  const { busy, disabled, type, ...button } = element;
  // Not the attribute `disabled`, because it would take the focus from the pressed button.
  const blocked = (busy || disabled) && { 'aria-busy': busy, 'aria-disabled': true, onClick: refuse };
  return (
    <button
      {...button}
      {...blocked}
      type={type ?? 'button'}
      className={classNames(className, element.className)}
    >
      {content}
    </button>
  );
}

export function Content({ busy, icon, children }: Pick<ButtonProps, 'busy' | 'icon' | 'children'>) {
  return (
    <span className={styles.content}>
      {busy && (
        <span className={styles.progress}>
          <Spinner />
        </span>
      )}
      {icon}
      {children !== undefined && <span>{children}</span>}
    </span>
  );
}

export function Button({ kind, size, wide, icon, badge, children, ...element }: ButtonProps) {
  const content = (
    <>
      <Content busy={element.busy} icon={icon}>
        {children}
      </Content>
      {badge}
    </>
  );
  return drawButton(element, buttonClass({ kind, size, wide }), content);
}
