import type { ComponentPropsWithRef, MouseEvent, ReactNode } from 'react';
import styles from './button.module.css';
import { classNames } from './class-names.ts';
import { Spinner } from './spinner.tsx';

type Kind = 'primary' | 'plain' | 'quiet' | 'danger' | 'danger-plain';

export interface Look {
  /** `danger` is filled brick for the act itself, `danger-plain` its outlined form on a page. */
  kind?: Kind | undefined;
  size?: 'normal' | 'small' | undefined;
  /** As wide as its container. */
  wide?: boolean | undefined;
}
export interface Act extends Omit<ComponentPropsWithRef<'button'>, 'style'> {
  href?: never;
  /** Lets no press through, and keeps the focus; who can't see it learns by `aria-describedby` why. */
  disabled?: boolean | undefined;
  /** Shows progress in place, keeps the width and the focus, and lets no second press through. */
  busy?: boolean | undefined;
}
export interface Way extends Omit<ComponentPropsWithRef<'a'>, 'style'> {
  href: string;
  busy?: never;
}
type Element = Act | Way;

/** A `badge` places itself on the edge of the button. */
export type ButtonProps = Look & { icon?: ReactNode; badge?: ReactNode } & Element;

/** The class of a button, for links that a router draws itself. */
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

/** The element itself, for the parts that look like a button. */
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
  // Not the attribute `disabled`, which would take the focus from whoever has just pressed it.
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

/** What stands on a button, and its progress. */
export function Content({ busy, children }: { busy: boolean | undefined; children: ReactNode }) {
  return (
    <span className={styles.content}>
      {busy && (
        <span className={styles.progress}>
          <Spinner />
        </span>
      )}
      {children}
    </span>
  );
}

/** A button, or with `href` a link that looks like one. */
export function Button({ kind, size, wide, icon, badge, children, ...element }: ButtonProps) {
  const content = (
    <>
      <Content busy={element.busy}>
        {icon}
        {children}
      </Content>
      {badge}
    </>
  );
  return drawButton(element, buttonClass({ kind, size, wide }), content);
}
