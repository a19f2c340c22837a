import type { ComponentPropsWithRef, MouseEvent, ReactNode } from 'react';
import styles from './button.module.css';
import { classNames } from './class-names.ts';
import { Spinner } from './spinner.tsx';
import { useTooltip } from './tooltip.tsx';

type Kind = 'primary' | 'plain' | 'quiet' | 'danger' | 'danger-plain';

interface Look {
  /** `danger` is filled brick for the act itself, `danger-plain` its outlined form on a page. */
  kind?: Kind | undefined;
  size?: 'normal' | 'small' | undefined;
  /** As wide as its container. */
  wide?: boolean | undefined;
}
interface Act extends Omit<ComponentPropsWithRef<'button'>, 'style'> {
  href?: never;
  /** Shows progress in place, keeps the width and the focus, and lets no second press through. */
  busy?: boolean | undefined;
}
interface Way extends Omit<ComponentPropsWithRef<'a'>, 'style'> {
  href: string;
  busy?: never;
}
type Element = Act | Way;

export type ButtonProps = Look & { icon?: ReactNode } & Element;
interface Icon {
  /** Read aloud and shown as a tooltip. */
  name: string;
  icon: ReactNode;
  /** A circle, for a person's picture. */
  round?: boolean | undefined;
}
export type IconButtonProps = Look & Icon & Omit<Act, 'children' | 'name'>;
export type IconLinkProps = Look & Icon & Omit<Way, 'children'>;

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

function draw(element: Element, className: string, content: ReactNode) {
  if (element.href !== undefined) {
    const { busy: _, ...link } = element;
    return (
      <a {...link} className={classNames(className, element.className)}>
        {content}
      </a>
    );
  }
  const { busy, type, ...button } = element;
  const blocked = busy ? { 'aria-busy': true, 'aria-disabled': true, onClick: refuse } : {};
  return (
    <button
      {...button}
      {...blocked}
      type={type ?? 'button'}
      className={classNames(className, element.className)}
    >
      {content}
      {busy && (
        <span className={styles.progress}>
          <Spinner />
        </span>
      )}
    </button>
  );
}

/** A button, or with `href` a link that looks like one. */
export function Button({ kind, size, wide, icon, children, ...element }: ButtonProps) {
  const content = (
    <span className={styles.content}>
      {icon}
      {children}
    </span>
  );
  return draw(element, buttonClass({ kind, size, wide }), content);
}

/** A button of one icon; its name is read aloud and shown as a tooltip. */
export function IconButton({
  kind = 'quiet',
  size = 'small',
  name,
  icon,
  round,
  ...button
}: IconButtonProps) {
  const { tooltip, events } = useTooltip<HTMLButtonElement>(name, button);
  const element = { ...button, ...events, 'aria-label': name };
  const content = (
    <>
      <span className={styles.content}>{icon}</span>
      {tooltip}
    </>
  );
  return draw(element, buttonClass({ kind, size }, styles.icon, round && styles.round), content);
}

/** A link of one icon; its name is read aloud and shown as a tooltip. */
export function IconLink({ kind = 'quiet', size = 'small', name, icon, round, ...link }: IconLinkProps) {
  const { tooltip, events } = useTooltip<HTMLAnchorElement>(name, link);
  const element = { ...link, ...events, 'aria-label': name };
  const content = (
    <>
      <span className={styles.content}>{icon}</span>
      {tooltip}
    </>
  );
  return draw(element, buttonClass({ kind, size }, styles.icon, round && styles.round), content);
}
