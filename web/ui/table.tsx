// The table of the members, roles and other lists. It sorts, stays quick with many rows, and stacks them on phones.
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import { memo, type ReactNode, useEffect, useEffectEvent } from 'react';
import { uiText } from '#words/ui.ts';
import { Button } from './button.tsx';
import { whyNotLoaded } from '#web/lib/cause.ts';
import { classNames } from './class-names.ts';
import { useDrawnRows } from './drawn-rows.ts';
import { Skeleton } from './skeleton.tsx';
import styles from './table.module.css';
import { Named } from './named.tsx';

export interface Column<Row> {
  key: string;
  head: string;
  cell: (row: Row) => ReactNode;
  /** Share of the table's width, such as "28%" or "120". */
  width?: string;
  /** In stacked rows, `title` has no label, like `plain`; `actions` hides its head and is last. */
  role?: 'title' | 'plain' | 'actions';
  /** The sort order that a press on the head requests. */
  sort?: string;
  /** The placeholder while loading, a line of text by default. */
  skeleton?: ReactNode;
}

export interface Order {
  by: string | undefined;
  descending: boolean;
  onChange: (by: string) => void;
}

interface TableProps<Row> {
  caption: string;
  /** Keep the array stable between renders, because a new one renders all rows again. */
  columns: readonly Column<Row>[];
  /** `undefined` while loading. */
  rows: readonly Row[] | undefined;
  rowKey: (row: Row) => string | number;
  groupHead?: (row: Row) => ReactNode;
  skeletonRows?: number;
  /** A short title, a sentence, and optionally an action to begin with. */
  empty: { title: string; text?: string; icon?: ReactNode; action?: ReactNode };
  error?: string | boolean | undefined;
  onRetry?: (() => void) | undefined;
  order?: Order;
  total?: number | undefined;
  /** Loads more rows, automatically near the last one, and by hand after a failure. */
  more?: { fetch: () => void; failed: boolean; busy: boolean } | undefined;
}

const MORE_AHEAD = 40;
/** `aria-rowcount` for an unknown number of rows. */
const UNKNOWN = -1;
const MORE_SKELETONS = 3;

// Stacked rows lose the display of a table, and in some browsers its semantics. These roles restore them.
const asTable = { role: 'table' };
const asGroup = { role: 'rowgroup' };
const asRow = { role: 'row' };
const asHead = { role: 'columnheader', scope: 'col' };
const asCell = { role: 'cell' };
const asGroupHead = { role: 'rowheader', scope: 'rowgroup' };
const directions = { ascending: <ArrowUp />, descending: <ArrowDown />, none: <ChevronsUpDown /> };

function Head<Row>({ column, order }: { column: Column<Row>; order: Order | undefined }) {
  const { head, role, sort } = column;
  if (sort === undefined || !order) {
    return (
      <th {...asHead} className={role && styles[role]}>
        <span className={role === 'actions' ? 'visually-hidden' : undefined}>{head}</span>
      </th>
    );
  }
  const direction = order.by !== sort ? 'none' : order.descending ? 'descending' : 'ascending';
  return (
    <th {...asHead} aria-sort={direction}>
      <button type="button" className={styles.sort} onClick={() => order.onChange(sort)}>
        {head}
        {directions[direction]}
      </button>
      <span className={styles.stackedHead}>{head}</span>
    </th>
  );
}

type CellsProps<Row> = Pick<TableProps<Row>, 'columns'> & {
  content: (column: Column<Row>) => ReactNode;
  index?: number;
};

function Cells<Row>({ columns, content, index }: CellsProps<Row>) {
  return (
    <tr {...asRow} aria-rowindex={index}>
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

const skeletonOf = <Row,>({ skeleton, role }: Column<Row>) =>
  skeleton === undefined && role !== 'actions' ? <Skeleton /> : skeleton;

type MemoRowProps<Row> = { columns: readonly Column<Row>[]; row: Row; index: number };

/** Renders again only if its row or columns change, not as other rows come and go. */
const MemoRow = memo(function KnownRow({ columns, row, index }: MemoRowProps<unknown>) {
  return <Cells columns={columns} index={index} content={(column) => column.cell(row)} />;
}) as <Row>(props: MemoRowProps<Row>) => ReactNode;

function Spacer({ height }: { height: number }) {
  if (height === 0) return null;
  return (
    <tr aria-hidden="true" className={styles.room}>
      <td aria-hidden="true" style={{ height }} />
    </tr>
  );
}

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

/** On narrow screens rows become stacks. Of many rows, only those near the window are rendered. */
export function Table<Row>(props: TableProps<Row>) {
  const { caption, columns, rows, rowKey, groupHead, skeletonRows = 4, empty } = props;
  const { error, onRetry, order, total, more } = props;
  const loading = rows === undefined && !error;
  const count = rows?.length ?? 0;
  const { body, first, end, above, below } = useDrawnRows(count);
  const isMissing = more && !more.failed && !more.busy && end > count - MORE_AHEAD;
  const fetchMore = useEffectEvent(() => more?.fetch());
  useEffect(() => {
    if (isMissing) fetchMore();
  }, [isMissing]);

  function drawGroup(key: string | number, index: number | undefined, head: ReactNode) {
    return (
      <tr {...asRow} key={key} aria-rowindex={index} className={styles.group}>
        <th {...asGroupHead} colSpan={columns.length} aria-colspan={columns.length}>
          {head}
        </th>
      </tr>
    );
  }
  function drawGroupOrRow(row: Row, index: number) {
    const head = groupHead?.(row);
    if (head !== undefined) return drawGroup(rowKey(row), index, head);
    return <MemoRow key={rowKey(row)} index={index} columns={columns} row={row} />;
  }
  function drawSkeletons(rows: number) {
    return Array.from({ length: rows }, (_, at) => (
      <Cells key={`skeleton ${at}`} columns={columns} content={skeletonOf} />
    ));
  }
  function drawFailure(retry: (() => void) | undefined, hint: string) {
    return (
      <StateRow span={columns.length} alert>
        <strong>{uiText.loadFailed}</strong>
        <p>{hint}</p>
        {retry && (
          <Button size="small" onClick={retry}>
            {uiText.tryAgain}
          </Button>
        )}
      </StateRow>
    );
  }

  function drawBody() {
    if (error) return drawFailure(onRetry, error === true ? whyNotLoaded() : error);
    if (rows === undefined) {
      return (
        <>
          {groupHead && drawGroup('skeleton', undefined, <Skeleton width="word" />)}
          {drawSkeletons(skeletonRows)}
        </>
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
    return (
      <>
        <Spacer height={above} />
        {rows.slice(first, end).map((row, at) => drawGroupOrRow(row, first + at + 2))}
        <Spacer height={below} />
        {more?.failed === true && drawFailure(more.fetch, whyNotLoaded())}
        {more?.failed === false && below === 0 && drawSkeletons(MORE_SKELETONS)}
      </>
    );
  }
  return (
    <>
      <table
        {...asTable}
        className={classNames(styles.table, loading && styles.loading)}
        aria-busy={loading}
        aria-rowcount={total === undefined ? more && UNKNOWN : total + 1}
      >
        <caption className="visually-hidden">{caption}</caption>
        <colgroup>
          {columns.map((column) => (
            <col key={column.key} width={column.width} />
          ))}
        </colgroup>
        <thead {...asGroup}>
          <tr {...asRow}>
            {columns.map((column) => (
              <Head key={column.key} column={column} order={order} />
            ))}
          </tr>
        </thead>
        <tbody {...asGroup} ref={body}>
          {drawBody()}
        </tbody>
      </table>
      <output className="visually-hidden">{loading && uiText.loading}</output>
    </>
  );
}

export function NameCell({ picture, name, sub }: { picture?: ReactNode; name: ReactNode; sub?: ReactNode }) {
  return (
    <div className={styles.nameCell}>
      {picture}
      <div className={styles.nameWords}>
        <div className={styles.name}>{typeof name === 'string' ? <Named>{name}</Named> : name}</div>
        {sub && <div className={styles.sub}>{sub}</div>}
      </div>
    </div>
  );
}

export function NameSkeleton({ picture = true }: { picture?: boolean }) {
  const lines = { name: <Skeleton width="half" />, sub: <Skeleton width="most" /> };
  return <NameCell {...lines} picture={picture && <Skeleton shape="avatar" />} />;
}
