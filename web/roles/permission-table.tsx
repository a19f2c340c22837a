import { type KeyboardEvent, useRef, useState } from 'react';
import { rights, type Service, services } from '#contract/permissions.ts';
import { rolesText as text } from '#contract/text/roles.ts';
import { fill } from '#contract/text.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { moved, type Place, pressed, type Rights, stateAt } from './permission-grid.ts';
import styles from './permission-table.module.css';

type Props = {
  service: Service;
  value: Rights;
  /** Left out where nothing may be changed. */
  onChange?: ((value: Rights) => void) | undefined;
};

// A table by nature, and one whose boxes are reached by arrows: the pattern's role for that is grid.
const asGrid = { role: 'grid' };

/** Modules down, rights across; one stop for the Tab key, arrows move inside and space ticks. */
export function PermissionTable({ service, value, onChange }: Props) {
  const grid = useRef<HTMLTableElement>(null);
  const [at, setAt] = useState<Place>({ row: 1, column: 1 });
  const modules: Record<string, string> = services[service].modules;
  const names = Object.keys(value).map((module) => modules[module] ?? module);
  const last = { row: names.length, column: rights.length };

  const walk = (event: KeyboardEvent) => {
    const to = moved(at, event.key, event.ctrlKey || event.metaKey, last);
    if (!to) return;
    event.preventDefault();
    setAt(to);
    grid.current?.querySelector<HTMLElement>(`[data-place="${to.row} ${to.column}"]`)?.focus();
  };
  const box = (row: number, column: number, label: string) => {
    const place = { row, column };
    const state = stateAt(value, place);
    return (
      <Checkbox
        label={label}
        hideLabel
        checked={state === 'all'}
        indeterminate={state === 'some'}
        disabled={!onChange}
        tabIndex={at.row === row && at.column === column ? 0 : -1}
        data-place={`${row} ${column}`}
        onFocus={() => setAt(place)}
        onKeyDown={walk}
        onChange={() => onChange?.(pressed(value, place))}
      />
    );
  };
  return (
    <table ref={grid} {...asGrid} className={styles.table} aria-readonly={!onChange}>
      <caption className="visually-hidden">
        {fill(text.permissions, { service: services[service].label })}
      </caption>
      <thead>
        <tr>
          <th scope="col">{text.module}</th>
          {rights.map((right, index) => (
            <th key={right} scope="col">
              <div className={styles.head}>
                {box(0, index + 1, fill(text.column, { right: text.rights[right] }))}
                <span aria-hidden="true">{text.rights[right]}</span>
              </div>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {names.map((module, index) => (
          <tr key={module}>
            <th scope="row">
              <div className={styles.module}>
                {box(index + 1, 0, fill(text.everything, { module }))}
                {module}
              </div>
            </th>
            {rights.map((right, column) => (
              <td key={right}>
                {box(index + 1, column + 1, fill(text.cell, { right: text.rights[right], module }))}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
