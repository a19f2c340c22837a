import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import { memo, type ReactNode, useEffect, useEffectEvent } from 'react';
import { uiText } from '#contract/text/ui.ts';
import { Button } from './button.tsx';
import { whyNotLoaded } from './cause.ts';
import { classNames } from './class-names.ts';
import { useDrawnRows } from './drawn-rows.ts';
import { Skeleton } from './skeleton.tsx';
import styles from './table.module.css';

export interface Column<Row> {
  key: string;
  head: string;
  cell: (row: Row) => ReactNode;
  /** Share of the table's width, such as "28%" or "120". */
  width?: string;
  /** `title` and `plain` have no label in a stacked row, which a title opens; `actions` hides its head and stands at the end. */
  role?: 'title' | 'plain' | 'actions';
  /** The order that a press on the head asks for. */
  sort?: string;
  /** What stands in while loading; a line of text by default. */
  skeleton?: ReactNode;
}

/** The order the rows stand in, and what a press on a head does about it. */
export interface Order {
  by: string | undefined;
  descending: boolean;
  onChange: (by: string) => void;
}

export interface TableProps<Row> {
  /** Names the table for screen readers. */
  caption: string;
  /** Best the same from one drawing to the next: rows are drawn again where they are others. */
  columns: readonly Column<Row>[];
  /** `undefined` while loading. */
  rows: readonly Row[] | undefined;
  rowKey: (row: Row) => string | number;
  /** What heads the rows after it: drawn over all columns, in place of the row's cells. */
  groupHead?: (row: Row) => ReactNode;
  /** Rows shown while loading: as many as are to be expected. */
  skeletonRows?: number;
  /** A short title, a sentence, and perhaps a way to begin. */
  empty: { title: string; text?: string; icon?: ReactNode; action?: ReactNode };
  /** Why the rows could not be loaded. */
  error?: string | boolean | undefined;
  onRetry?: (() => void) | undefined;
  order?: Order;
  /** How many rows there are in all, where these are only the first of them. */
  total?: number | undefined;
  /** Fetches more rows; asked for as the last of these come near, and by hand after a failure. */
  more?: { fetch: () => void; failed: boolean; busy: boolean } | undefined;
}

/** Rows before the last one at which more are fetched. */
const MORE_AHEAD = 40;
/** How many rows there are, while there are more than are known. */
const UNKNOWN = -1;
/** Stand-ins below the last row while there are more. */
const MORE_SKELETONS = 3;

// Stacking takes the display of a table away, and with it, in some browsers, its meaning: these roles keep it.
const asTable = { role: 'table' };
const asGroup = { role: 'rowgroup' };
const asRow = { role: 'row' };
const asHead = { role: 'columnheader', scope: 'col' };
const asCell = { role: 'cell' };
const asGroupHead = { role: 'rowheader', scope: 'rowgroup' };
const directions = { ascending: <ArrowUp />, descending: <ArrowDown />, none: <ChevronsUpDown /> };

/** The head of one column; one that can be sorted by is a button, where heads show. */
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

type CellsProps<Row> = {
  columns: readonly Column<Row>[];
  content: (column: Column<Row>) => ReactNode;
  place?: number;
};

function Cells<Row>({ columns, content, place }: CellsProps<Row>) {
  return (
    <tr {...asRow} aria-rowindex={place}>
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

type KnownProps<Row> = { columns: readonly Column<Row>[]; row: Row; place: number };

/** Drawn again only where it is another row, or under other columns: not as rows around it come and go. */
const KnownRow = memo(function KnownRow({ columns, row, place }: KnownProps<unknown>) {
  return <Cells columns={columns} place={place} content={(column) => column.cell(row)} />;
}) as <Row>(props: KnownProps<Row>) => ReactNode;

/** The place of rows that are not drawn. */
function Room({ height }: { height: number }) {
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

/**
 * A table with loading, empty and error states; on narrow screens each row becomes a stack of labels and values. Of many
 * rows only those near the window are drawn.
 */
export function Table<Row>(props: TableProps<Row>) {
  const {
    caption,
    columns,
    rows,
    rowKey,
    groupHead,
    skeletonRows = 4,
    empty,
    error,
    onRetry,
    order,
    total,
    more,
  } = props;
  const loading = rows === undefined && !error;
  const count = rows?.length ?? 0;
  const { body, first, end, above, below } = useDrawnRows(count);
  const isMissing = more && !more.failed && !more.busy && end > count - MORE_AHEAD;
  const fetchMore = useEffectEvent(() => more?.fetch());
  useEffect(() => {
    if (isMissing) fetchMore();
  }, [isMissing]);

  function drawGroup(key: string | number, place: number | undefined, head: ReactNode) {
    return (
      <tr {...asRow} key={key} aria-rowindex={place} className={styles.group}>
        <th {...asGroupHead} colSpan={columns.length} aria-colspan={columns.length}>
          {head}
        </th>
      </tr>
    );
  }
  function drawGroupOrRow(row: Row, place: number) {
    const head = groupHead?.(row);
    if (head !== undefined) return drawGroup(rowKey(row), place, head);
    return <KnownRow key={rowKey(row)} place={place} columns={columns} row={row} />;
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
        <Room height={above} />
        {rows.slice(first, end).map((row, at) => drawGroupOrRow(row, first + at + 2))}
        <Room height={below} />
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
