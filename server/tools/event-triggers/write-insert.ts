import { type AnyContent, type EventSource, numberOfRows } from '../../src/features/events/event-source.ts'
import { inScope, isAggregate, renderObject, renderSubject, renderValue, type Scope } from './render-values.ts'
import { toColumn, writeGroupQuery } from './write-group-query.ts'

/** The rows of a statement that may leave events. */
export type ChangedRows = { scope: Scope; type: string; from: readonly string[]; condition: string }

type Join = { kind: 'join' | 'left join'; table: string; column: string }
type Joins = Pick<EventSource, 'join' | 'optionalJoin' | 'computer'>

/** Writes the statement that inserts the events of changed rows: one for each row, or one for each group of rows. */
export function writeInsert(rows: ChangedRows, source: Joins, content: AnyContent, indent: string): string {
  return content.groupBy
    ? writeGroupedInsert(rows, source, content, content.groupBy, indent)
    : writeSimpleInsert(rows, source, content, indent)
}

function writeSimpleInsert(rows: ChangedRows, source: Joins, content: AnyContent, indent: string): string {
  const { scope, type } = rows
  const isCount = Object.values(content.data).includes(numberOfRows)
  return insertStatement(
    {
      ...renderContent(scope, content, source.computer),
      type,
      from: [...rows.from, ...listJoins(source).map((join) => renderJoin(join, scope.row)), whereClause(rows)],
      having: isCount ? 'count(*) > 0' : undefined,
      orderBy: content.orderBy?.map((column) => inScope(scope, column)),
    },
    indent,
  )
}

/** Rows are grouped first. What belongs to the group as a whole, such as the name of a computer, is joined once for it. */
function writeGroupedInsert(
  rows: ChangedRows,
  source: Joins,
  content: AnyContent,
  groupBy: readonly string[],
  indent: string,
): string {
  const { scope } = rows
  const isOfGroup = ({ column }: Join) => groupBy.includes(column)
  const [ofGroup, ofRow] = [listJoins(source).filter(isOfGroup), listJoins(source).filter((join) => !isOfGroup(join))]
  const isConditionOfGroup = ofGroup.some(({ table }) => rows.condition.includes(`${table}.`))
  const keys = [...(rows.type === 'news.type' ? ['type'] : []), ...groupBy]
  const aggregates = Object.fromEntries(
    Object.entries({ ...content.data, computer_id: source.computer }).filter(
      ([, value]) => value && isAggregate(value),
    ),
  )
  const order = (content.orderBy ?? []).map((column, index) => ({ column, name: `order_${index}` }))
  const inner = writeGroupQuery(
    {
      scope,
      keys,
      aggregates: aggregates as AnyContent['data'],
      order: order.filter(({ column }) => isAggregate({ sql: column })),
      from: [
        ...rows.from,
        ...ofRow.map((join) => renderJoin(join, scope.row)),
        isConditionOfGroup ? '' : whereClause(rows),
      ],
    },
    `${indent}  `,
  )
  const group = { ...scope, row: 'grouped' }
  const ofName = (name: string) => ({ sql: `grouped.${toColumn(name)}` })
  const data = Object.entries(content.data).map(([name, value]) => [name, name in aggregates ? ofName(name) : value])
  const computer = source.computer && ('computer_id' in aggregates ? ofName('computer_id') : source.computer)
  return insertStatement(
    {
      ...renderContent(group, { ...content, data: Object.fromEntries(data) }, computer),
      type: rows.type === 'news.type' ? 'grouped.type' : rows.type,
      from: [
        `from (\n${inner}\n${indent}) as grouped`,
        ...ofGroup.map((join) => renderJoin(join, 'grouped')),
        isConditionOfGroup ? `where ${inScope(group, rows.condition)}` : '',
      ],
      orderBy: order.map(({ column, name }) =>
        isAggregate({ sql: column }) ? `grouped.${name}` : inScope(group, column),
      ),
    },
    indent,
  )
}

const listJoins = ({ join = {}, optionalJoin = {} }: Joins): Join[] => [
  ...Object.entries(join).map(([table, column]) => ({ kind: 'join' as const, table, column })),
  ...Object.entries(optionalJoin).map(([table, column]) => ({ kind: 'left join' as const, table, column })),
]

const renderJoin = ({ kind, table, column }: Join, row: string) => `${kind} ${table} on ${table}.id = ${row}.${column}`

/** An event that only counts rows needs no more of the joined tables than its condition and its data mention. */
export function usedJoins({ computer: _, ...source }: EventSource, { condition }: ChangedRows): Joins {
  if (source.hasForeignKeys === false) return source
  const text = JSON.stringify(source.many) + condition
  const used = (joins: Readonly<Record<string, string>> = {}) =>
    Object.fromEntries(Object.entries(joins).filter(([table]) => text.includes(`${table}.`)))
  return { join: used(source.join), optionalJoin: used(source.optionalJoin) }
}

const whereClause = ({ scope, condition }: ChangedRows) => (condition ? `where ${inScope(scope, condition)}` : '')

type Rendered = { subject: string; computer: string | undefined; data: string }

export function renderContent(scope: Scope, content: AnyContent, computer: EventSource['computer']): Rendered {
  return {
    subject: renderSubject(scope, content.subject),
    computer: computer && renderValue(scope, computer),
    data: renderObject(scope, content.data),
  }
}

type Insert = Rendered & {
  type: string
  from: readonly string[]
  having?: string | undefined
  orderBy?: readonly string[] | undefined
}

export function insertStatement(
  { type, subject, computer, data, from, having, orderBy }: Insert,
  indent: string,
): string {
  const clauses = [
    `insert into event_outbox (type, subject${computer ? ', computer_id' : ''}, data)`,
    `select ${type}, ${subject},${computer ? ` ${computer},` : ''}`,
    `  ${data}`,
    ...from,
    having ? `having ${having}` : '',
    orderBy && orderBy.length > 0 ? `order by ${orderBy.join(', ')}` : '',
  ]
  const lines = clauses.filter((clause) => clause !== '').map((clause) => `${indent}${clause}`)
  return `${lines.join('\n')};`
}
