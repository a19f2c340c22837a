import type { ReactNode } from 'react';
import { uiText } from '#contract/text/ui.ts';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';
import { Skeleton } from './skeleton.tsx';
import styles from './table.module.css';

export interface Column<Row> {
  key: string;
  head: string;
  cell: (row: Row) => ReactNode;
  /** Share of the table's width, such as "28%" or "120". */
  width?: string;
  /** `title` opens a stacked row without a label; `actions` hides its head and stands at the end. */
  role?: 'title' | 'actions';
  /** What stands in while loading; a line of text by default. */
  skeleton?: ReactNode;
}

export interface TableProps<Row> {
  /** Names the table for screen readers. */
  caption: string;
  columns: readonly Column<Row>[];
  /** `undefined` while loading. */
  rows: readonly Row[] | undefined;
  rowKey: (row: Row) => string | number;
  /** Rows shown while loading: as many as are to be expected. */
  skeletonRows?: number;
  /** A short title, a sentence, and perhaps a way to begin. */
  empty: { title: string; text?: string; icon?: ReactNode; action?: ReactNode };
  /** Why the rows could not be loaded. */
  error?: string | boolean | undefined;
  onRetry?: (() => void) | undefined;
}

// Stacking takes the display of a table away, and with it, in some browsers, its meaning: these roles keep it.
const asTable = { role: 'table' };
const asGroup = { role: 'rowgroup' };
const asRow = { role: 'row' };
const asHead = { role: 'columnheader', scope: 'col' };
const asCell = { role: 'cell' };

function StateRow({ span, children, alert }: { span: number; children: ReactNode; alert?: boolean }) {
  return (
    <tr {...asRow} className={styles.stateRow}>
      <td {...asCell} colSpan={span}>
        <div className={styles.state} role={alert ? 'alert' : undefined}>
          {children}
        </div>
      </td>
    </tr>
  );
}

/** A table with loading, empty and error states; on narrow screens each row becomes a stack of labels and values. */
export function Table<Row>(props: TableProps<Row>) {
  const { caption, columns, rows, rowKey, skeletonRows = 4, empty, error, onRetry } = props;
  const loading = rows === undefined && !error;

  function drawRow(key: string | number, content: (column: Column<Row>) => ReactNode) {
    return (
      <tr {...asRow} key={key}>
        {columns.map((column) => (
          <td
            {...asCell}
            key={column.key}
            data-label={column.head}
            className={column.role && styles[column.role]}
          >
            {content(column)}
          </td>
        ))}
      </tr>
    );
  }

  function drawBody() {
    if (error) {
      return (
        <StateRow span={columns.length} alert>
          <strong>{uiText.loadFailed}</strong>
          <p>{error === true ? uiText.loadFailedHint : error}</p>
          {onRetry && (
            <Button size="small" onClick={onRetry}>
              {uiText.tryAgain}
            </Button>
          )}
        </StateRow>
      );
    }
    if (rows === undefined) {
      const stand = Array.from({ length: skeletonRows }, (_, at) => at);
      return stand.map((at) =>
        drawRow(at, (column) => column.skeleton ?? (column.role === 'actions' ? null : <Skeleton />)),
      );
    }
    if (rows.length === 0) {
      return (
        <StateRow span={columns.length}>
          {empty.icon && <span className={styles.emptyIcon}>{empty.icon}</span>}
          <strong>{empty.title}</strong>
          {empty.text && <p>{empty.text}</p>}
          {empty.action}
        </StateRow>
      );
    }
    return rows.map((row) => drawRow(rowKey(row), (column) => column.cell(row)));
  }
  return (
    <>
      <table {...asTable} className={classNames(styles.table, loading && styles.loading)} aria-busy={loading}>
        <caption className="visually-hidden">{caption}</caption>
        <colgroup>
          {columns.map((column) => (
            <col key={column.key} width={column.width} />
          ))}
        </colgroup>
        <thead {...asGroup}>
          <tr {...asRow}>
            {columns.map((column) => (
              <th {...asHead} key={column.key} className={column.role && styles[column.role]}>
                <span className={column.role === 'actions' ? 'visually-hidden' : undefined}>
                  {column.head}
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody {...asGroup}>{drawBody()}</tbody>
      </table>
      <output className="visually-hidden">{loading && uiText.loading}</output>
    </>
  );
}

/** Picture, name and a second line, as the first cell of a person's row. */
export function NameCell({ picture, name, sub }: { picture?: ReactNode; name: ReactNode; sub?: ReactNode }) {
  return (
    <div className={styles.nameCell}>
      {picture}
      <div className={styles.nameWords}>
        <div className={styles.name}>{name}</div>
        {sub && <div className={styles.sub}>{sub}</div>}
      </div>
    </div>
  );
}

/** The stand-in of a `NameCell` while loading. */
export function NameSkeleton({ picture = true }: { picture?: boolean }) {
  const lines = { name: <Skeleton width="half" />, sub: <Skeleton width="most" /> };
  return <NameCell {...lines} picture={picture && <Skeleton shape="avatar" />} />;
}
