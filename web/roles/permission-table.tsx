import { type KeyboardEvent, useRef, useState } from 'react';
import { rights, type Service, services } from '#contract/roles/permissions.ts';
import { rolesText as text } from '#words/roles.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { isLocked, cellAfterKey, type Cell, afterPress, type Rights, stateAt } from './permission-grid.ts';
import styles from './permission-table.module.css';

type Props = {
  service: Service;
  value: Rights;
  may?: Rights;
  onChange?: ((value: Rights) => void) | undefined;
};

// A table whose boxes are reached by arrow keys has the role `grid`.
const asGrid = { role: 'grid' };

export function PermissionTable({ service, value, may, onChange }: Props) {
  const grid = useRef<HTMLTableElement>(null);
  const [current, setCurrent] = useState<Cell>({ row: 1, column: 1 });
  const modules: Record<string, string> = services[service].modules;
  const names = Object.keys(value).map((module) => modules[module] ?? module);
  const last = { row: names.length, column: rights.length };

  const walk = (event: KeyboardEvent) => {
    const to = cellAfterKey(current, event.key, event.ctrlKey || event.metaKey, last);
    if (!to) return;
    event.preventDefault();
    setCurrent(to);
    grid.current?.querySelector<HTMLElement>(`[data-place="${to.row} ${to.column}"]`)?.focus();
  };
  const box = (row: number, column: number, label: string) => {
    const cell = { row, column };
    const state = stateAt(value, cell);
    const isFixed = onChange !== undefined && may !== undefined && isLocked(value, cell, may);
    return (
      <Checkbox
        label={isFixed ? text.lockedBox({ box: label }) : label}
        hideLabel
        checked={state === 'all'}
        indeterminate={state === 'some'}
        disabled={!onChange}
        // Still focusable, so that a screen reader can read the reason.
        aria-disabled={isFixed || undefined}
        tabIndex={current.row === row && current.column === column ? 0 : -1}
        data-place={`${row} ${column}`}
        onFocus={() => setCurrent(cell)}
        onKeyDown={walk}
        onChange={() => isFixed || onChange?.(afterPress(value, cell, may))}
      />
    );
  };
  return (
    <table ref={grid} {...asGrid} className={styles.table} aria-readonly={!onChange}>
      <caption className="visually-hidden">{text.permissions({ service: services[service].label })}</caption>
      <thead>
        <tr>
          <th scope="col">{text.module}</th>
          {rights.map((right, index) => (
            <th key={right} scope="col">
              <div className={styles.head}>
                {box(0, index + 1, text.column({ right: text.rights[right] }))}
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
                {box(index + 1, 0, text.everything({ module }))}
                {module}
              </div>
            </th>
            {rights.map((right, column) => (
              <td key={right}>
                {box(index + 1, column + 1, text.cell({ right: text.rights[right], module }))}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
