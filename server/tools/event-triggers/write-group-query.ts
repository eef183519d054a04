import type { AnyContent, AnyData } from '../../src/features/events/event-source.ts'
import { inScope, isChanges, isList, renderData, renderItem, type Scope } from './render-values.ts'

type GroupQuery = {
  scope: Scope
  /** The columns that the rows of a group have in common. */
  keys: readonly string[]
  /** Properties of the event that are made of all rows of a group. */
  aggregates: AnyContent['data']
  order: readonly { column: string; name: string }[]
  from: readonly string[]
}

export const toColumn = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Writes the query that makes one row of each group of changed rows. */
export function writeGroupQuery(query: GroupQuery, indent: string): string {
  const limited = Object.values(query.aggregates).find((value) => isList(value) && value.max !== undefined)
  const { scope, keys, aggregates, order, from } = limited ? numberRows(query, limited) : query
  const columns = [
    ...keys.map((key) => `${scope.row}.${key}`),
    ...Object.entries(aggregates).map(([name, value]) => `${renderData(scope, value)} as ${toColumn(name)}`),
    ...order.map(({ column, name }) => `${inScope(scope, column)} as ${name}`),
  ]
  return [
    `select ${columns.join(', ')}`,
    ...from.filter((clause) => clause !== ''),
    `group by ${keys.map((key) => `${scope.row}.${key}`).join(', ')}`,
  ]
    .map((clause) => `${indent}${clause}`)
    .join('\n')
}

/** Numbers the rows of each group so that a limited list builds only the items that it shows. */
function numberRows(query: GroupQuery, limited: AnyData): GroupQuery {
  if (!isList(limited)) return query
  const { scope, keys, from } = query
  const { list, orderBy = [] } = limited
  const isOfChanges = typeof list === 'object' && isChanges(list)
  const used = isOfChanges ? [] : [...new Set(renderItem(scope, list).match(/\b[a-z_]+\.[a-z_]+\b/g))]
  const sorted = orderBy.map((column) => inScope(scope, column))
  const references = new Set([...used, ...sorted.map((column) => column.split(' ')[0] ?? '')])
  // Columns of the changed row keep their names, for the other aggregates and the keys.
  const toAlias = (reference: string) =>
    reference.startsWith(`${scope.row}.`) ? reference.slice(scope.row.length + 1) : reference.replace('.', '_')
  const renamed = (sql: string) =>
    [...references].reduce(
      (text, name) => text.replaceAll(new RegExp(`\\b${name}\\b`, 'g'), `numbered.${toAlias(name)}`),
      sql,
    )
  const columns = [
    ...keys.map((key) => `${scope.row}.${key}`),
    ...[...references].map((name) => (name.startsWith(`${scope.row}.`) ? name : `${name} as ${toAlias(name)}`)),
    ...(isOfChanges ? [`${renderItem(scope, list)} as item`] : []),
    `row_number() over (partition by ${keys.map((key) => `${scope.row}.${key}`).join(', ')}${
      sorted.length > 0 ? ` order by ${sorted.join(', ')}` : ''
    }) as number`,
  ]
  const inner = [`select ${columns.join(', ')}`, ...from.filter((clause) => clause !== '')]
  const shown = {
    ...limited,
    list: { sql: isOfChanges ? 'numbered.item' : renamed(renderItem(scope, list)) },
    orderBy: sorted.map(renamed),
  }
  return {
    ...query,
    scope: { ...scope, row: 'numbered' },
    aggregates: Object.fromEntries(
      Object.entries(query.aggregates).map(([name, value]) => [name, value === limited ? shown : value]),
    ),
    from: [`from (`, ...inner.map((clause) => `  ${clause}`), ') as numbered'],
  }
}
