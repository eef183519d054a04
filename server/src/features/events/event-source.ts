import type { DB } from '../../database/tables.ts'

// Which changes of which table leave an event. `npm run generate` writes the triggers from these declarations.

type TableName = keyof DB & string
type ColumnName<T extends TableName> = keyof DB[T] & string

/**
 * SQL that refers to the changed row as `row`, to the row before an update as `before`, and to joined rows by their tables.
 */
export type Expression = { sql: string }

/** The path of a declared operation. Its parameters follow each other in the order of the path. */
export type Path<V = unknown> = {
  operation: string
  parameters: readonly V[]
  /** Replaces or extends the last part of the path, for what has no operation with a parameter of its own. */
  last?: { kind: 'beside' | 'below'; value: V }
  query?: Readonly<Record<string, Expression>>
}

/** The values that an update changed. Either of some columns, each with the name that readers see, or of all but some. */
export type Changes<C = unknown> =
  | { changesOf: Readonly<Record<string, C | Expression>> }
  | { changesExcept: readonly C[] }

/** All columns of the changed row but some, by the names that readers see. */
export type WholeRow<C = unknown> = { rowExcept: readonly C[] }

/** Values of all rows that share an event, at most `max` of them. Without a limit, all. */
export type List<V = unknown, C = unknown> = {
  list: Readonly<Record<string, V>> | V | WholeRow<C> | Changes<C>
  orderBy?: readonly string[]
  max?: number
}

type JoinedColumn<J extends TableName> = { [K in J]: `${K}.${ColumnName<K>}` }[J]

/** A column of the changed row, a column of a joined row, or an expression. */
export type Value<T extends TableName, J extends TableName> = ColumnName<T> | JoinedColumn<J> | Expression

type Data<T extends TableName, J extends TableName> = Readonly<
  Record<string, Value<T, J> | Path<Value<T, J>> | Changes<ColumnName<T>> | List<Value<T, J>, ColumnName<T>>>
>

type Content<T extends TableName, J extends TableName> = {
  subject: Value<T, J> | Path<Value<T, J>>
  /** Rows with the same values share one event. */
  groupBy?: readonly ColumnName<T>[]
  /** SQL. Without it, events of one statement come in any order. */
  orderBy?: readonly string[]
  data: Data<T, J>
}

/** Referenced tables, each with the column that contains the id. */
type References<T extends TableName> = Readonly<Partial<Record<TableName, ColumnName<T>>>>
type Joined<R, O> = (keyof R | keyof O) & TableName

export type Source<T extends TableName, R extends References<T>, O extends References<T>> = Content<T, Joined<R, O>> & {
  table: T
  on: 'insert' | 'update' | 'delete'
  /**
   * Once for each row that fulfils `when`, instead of once per statement. Use it for tables that change often and rarely
   * leave an event: the condition costs less than collecting the rows of a statement.
   */
  forEach?: 'row'
  /** SQL. Changes that do not meet it leave no event. */
  when?: string
  /** An update that changes none of these columns leaves no event. Only with `forEach`. */
  whenChanged?: readonly ColumnName<T>[]
  /** The columns that identify a row, if an event per statement compares it with the row before an update. */
  key?: readonly ColumnName<T>[]
  /** A row whose reference leads nowhere leaves no event. */
  join?: R
  /** False if a row can outlive what it refers to. Then even an event that only counts rows has to look. */
  hasForeignKeys?: false
  /** Referenced rows that may be missing. */
  optionalJoin?: O
  /** The id of the computer that the event is about. */
  computer?: Value<T, Joined<R, O>>
  /** The event of a statement that changes more than `maxSingleEvents` rows. It counts instead of naming each. */
  many?: Content<T, Joined<R, O>>
}

/** A source of any table, as the generator reads it. */
export type EventSource = Omit<
  Source<TableName, References<TableName>, References<TableName>>,
  'subject' | 'groupBy' | 'whenChanged' | 'key' | 'join' | 'optionalJoin' | 'computer' | 'data' | 'many'
> &
  AnyContent & {
    whenChanged?: readonly string[]
    key?: readonly string[]
    join?: Readonly<Record<string, string>>
    optionalJoin?: Readonly<Record<string, string>>
    computer?: AnyValue
    many?: AnyContent
  }

export type AnyValue = string | Expression
export type AnyData = AnyValue | Path<AnyValue> | Changes<string> | List<AnyValue, string>
export type AnyContent = {
  subject: AnyValue | Path<AnyValue>
  groupBy?: readonly string[]
  orderBy?: readonly string[]
  data: Readonly<Record<string, AnyData>>
}

/** Statements that change more rows than this leave compact events. */
export const maxSingleEvents = 100

/** An event of many rows lists at most this many. */
export const maxListedItems = 50

/** Declares a source. TypeScript checks the names of tables and columns. */
export function source<
  const T extends TableName,
  const R extends References<T> = Record<never, never>,
  const O extends References<T> = Record<never, never>,
>(declared: Source<T, R, O>): EventSource {
  return declared as unknown as EventSource
}

export const expression = (sql: string): Expression => ({ sql })
export const textValue = (text: string) => expression(`'${text.replaceAll("'", "''")}'`)
export const one = expression('1')
export const numberOfRows = expression('count(*)')
export const utc = (column: string) =>
  expression(`to_char(row.${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`)

export const pathOf = <const P extends readonly string[]>(operation: string, ...parameters: P): Path<P[number]> => ({
  operation,
  parameters,
})
