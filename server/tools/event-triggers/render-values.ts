import type { AnyContent, AnyData, AnyValue, Changes, List, Path } from '../../src/features/events/event-source.ts'

/** What the generator knows besides the declarations. */
export type Catalog = {
  /** The path of an operation, such as `/api/computer/:id`. */
  pathOf(operation: string): string
  columnsOf(table: string): readonly string[]
}

/** How SQL names the changed row, and the row before an update. */
export type Scope = Catalog & { table: string; row: string; before: string }

export const inScope = ({ row, before }: Scope, sql: string) =>
  sql.replaceAll(/\b(row|before)\b/g, (name) => (name === 'row' ? row : before))

export function renderValue(scope: Scope, value: AnyValue): string {
  if (typeof value !== 'string') return inScope(scope, value.sql)
  return value.includes('.') ? value : `${scope.row}.${value}`
}

const isPath = (value: AnyData): value is Path<AnyValue> => typeof value === 'object' && 'operation' in value
export const isList = (value: AnyData): value is List<AnyValue, string> => typeof value === 'object' && 'list' in value
export const isChanges = (value: object): value is Changes<string> => 'changesOf' in value || 'changesExcept' in value

export function renderSubject(scope: Scope, subject: AnyContent['subject']): string {
  return isPath(subject) ? renderPath(scope, subject) : renderValue(scope, subject)
}

export const renderObject = (scope: Scope, properties: AnyContent['data']): string =>
  `jsonb_build_object(${Object.entries(properties)
    .map(([name, value]) => `'${name}', ${renderData(scope, value)}`)
    .join(', ')})`

export function renderData(scope: Scope, value: AnyData): string {
  if (isPath(value)) return renderPath(scope, value)
  if (isList(value)) return renderList(scope, value)
  if (typeof value === 'object' && isChanges(value)) return renderChanges(scope, value)
  return renderValue(scope, value)
}

function renderPath(scope: Scope, { operation, parameters, last, query }: Path<AnyValue>): string {
  const path = scope.pathOf(operation)
  const values = [...parameters, ...(last ? [last.value] : [])].map((value) => renderValue(scope, value))
  const wholePath = !last ? path : `${last.kind === 'below' ? path : path.slice(0, path.lastIndexOf('/'))}/:last`
  const texts = wholePath.split(/:\w+/)
  if (texts.length !== values.length + 1)
    throw new Error(`The path ${path} of ${operation} does not have as many parameters as the subject of an event.`)
  const parts = texts.flatMap((text, index) => [text && `'${text}'`, values[index] ?? ''])
  const inQuery = Object.entries(query ?? {}).flatMap(([name, value], index) => [
    `'${index === 0 ? '?' : '&'}${name}='`,
    renderValue(scope, value),
  ])
  return [...parts, ...inQuery].filter((part) => part !== '').join(' || ')
}

function renderList(scope: Scope, { list, orderBy = [], max }: List<AnyValue, string>): string {
  const order = orderBy.length > 0 ? ` order by ${orderBy.map((column) => inScope(scope, column)).join(', ')}` : ''
  const filter = max === undefined ? '' : ` filter (where number <= ${max})`
  return `jsonb_agg(${renderItem(scope, list)}${order})${filter}`
}

export function renderItem(scope: Scope, item: List<AnyValue, string>['list']): string {
  if (typeof item === 'string' || 'sql' in item) return renderValue(scope, item as AnyValue)
  if (isChanges(item)) return renderChanges(scope, item)
  if (!('rowExcept' in item)) return renderObject(scope, item as Record<string, AnyValue>)
  const shown = scope.columnsOf(scope.table).filter((column) => !(item.rowExcept as readonly string[]).includes(column))
  return renderObject(scope, Object.fromEntries(shown.map((column) => [toCamelCase(column), column])))
}

const toCamelCase = (column: string) => column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

function renderChanges(scope: Scope, changes: Changes<string>): string {
  const [before, after] = [{ ...scope, row: scope.before }, scope].map((side) => {
    if ('changesOf' in changes) return renderObject(side, changes.changesOf)
    const { changesExcept } = changes
    return `to_jsonb(${side.row})${changesExcept.length > 0 ? ` - '{${changesExcept.join(',')}}'::text[]` : ''}`
  })
  return `changed_properties(${before}, ${after})`
}

/** The condition that an update changed something that its event shows. Undefined if the event shows no changes. */
export function renderChangeCondition(scope: Scope, content: AnyContent): string | undefined {
  const changes = Object.values(content.data)
    .map((value) => (isList(value) ? value.list : value))
    .find((value): value is { changesExcept: string[] } => typeof value === 'object' && 'changesExcept' in value)
  if (!changes) return undefined
  return renderDifference(
    scope,
    scope.columnsOf(scope.table).filter((column) => !changes.changesExcept.includes(column)),
  )
}

export function renderDifference({ row, before }: Scope, columns: readonly string[]): string {
  const side = (name: string) => {
    const values = columns.map((column) => `${name}.${column}`)
    return values.length === 1 ? values[0] : `(${values.join(', ')})`
  }
  return `${side(row)} is distinct from ${side(before)}`
}

/** Whether a value is made of all rows of a group. */
export function isAggregate(value: AnyData): boolean {
  if (typeof value === 'string') return false
  return isList(value) || ('sql' in value && /\b(count|min|max|sum|bool_or)\(/.test(value.sql))
}
