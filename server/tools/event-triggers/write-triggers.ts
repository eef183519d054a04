import { type AnyContent, type EventSource, maxSingleEvents, numberOfRows } from '../../src/features/events/event-source.ts'
import type { EventType } from '../../src/features/events/event-type.ts'
import {
  type Catalog,
  inScope,
  listPlainColumns,
  renderChangeCondition,
  renderDifference,
  renderObject,
  renderSubject,
  renderValue,
  type Scope,
} from './render-values.ts'

/** One trigger. Types whose sources differ only in their condition share it, so the rows are read once. */
type Trigger = { types: { type: string; when: string | undefined }[]; source: EventSource; name: string }

const heading = `-- Written by \`npm run db:events\` from the declared types of events (server/src/features/events/types). Do not edit.
--
-- Triggers leave the events, so no writer can forget one. They run once per statement where statements change many rows,
-- and per row with a condition where nearly all changes are of no interest.
drop schema if exists event_triggers cascade;
create schema event_triggers;
`

/** Writes the functions and triggers of all declared events as SQL, which replaces those of another version. */
export function writeTriggers(types: readonly EventType[], catalog: Catalog): string {
  const functions = new Map<string, string>()
  const statements = toTriggers(types).map((trigger) => {
    const body = trigger.source.forEach === 'row' ? rowBody(trigger, catalog) : statementBody(trigger, catalog)
    const existing = functions.get(body)
    const name = existing ?? `event_triggers.${trigger.name.replace('_record_event_on_', '_')}`
    functions.set(body, name)
    const written = existing ? '' : `create function ${name}() returns trigger language plpgsql as $$\n${body}\n$$;\n\n`
    return `${written}${createTrigger(trigger, name, catalog)}`
  })
  return `${[heading, ...statements].join('\n')}\n`
}

function toTriggers(types: readonly EventType[]): Trigger[] {
  const sources = types.flatMap(({ type, sources }) => sources.map((source) => ({ type, source })))
  const shared = Map.groupBy(sources, ({ type, source }) =>
    JSON.stringify({ ...source, when: undefined, type: source.forEach === 'row' || !source.when ? type : undefined }),
  )
  const triggers = [...shared.values()].map((group) => ({
    types: group.map(({ type, source }) => ({ type, when: source.when })),
    source: group[0]?.source as EventSource,
  }))
  const siblings = Map.groupBy(triggers, ({ source }) => `${source.table} ${source.on}`)
  return triggers.map((trigger) => {
    const { source, types } = trigger
    const isOnly = siblings.get(`${source.table} ${source.on}`)?.length === 1
    const event = isOnly ? '' : `_${types[0]?.type.replace('muster.', '').replaceAll(/[.-]/g, '_')}`
    const name = `${source.table}_record_event_on_${source.on}${event}`
    if (name.length > 63) throw new Error(`PostgreSQL would cut the name ${name}.`)
    return { ...trigger, name }
  })
}

function createTrigger({ source, types, name }: Trigger, functionName: string, catalog: Catalog): string {
  const { table, on, forEach } = source
  const start = `create trigger ${name} after ${on} on ${table}`
  if (forEach === 'row') {
    const scope = rowScope(source, catalog)
    const conditions = [
      ...(source.whenChanged ? [renderDifference(scope, source.whenChanged)] : []),
      ...types.flatMap(({ when }) => (when ? [inScope(scope, when)] : [])),
    ]
    const when = conditions.length > 0 ? ` when (${conditions.join(' and ')})` : ''
    return `${start}\n  for each row${when}\n  execute function ${functionName}();\n`
  }
  const rows = {
    insert: 'new table as changed',
    delete: 'old table as changed',
    update: source.key ? 'old table as before new table as changed' : 'new table as changed',
  }
  return `${start} referencing ${rows[on]}\n  for each statement execute function ${functionName}();\n`
}

const rowScope = ({ table, on }: EventSource, catalog: Catalog): Scope => ({
  ...catalog,
  table,
  row: on === 'delete' ? 'old' : 'new',
  before: 'old',
})

function rowBody({ source, types }: Trigger, catalog: Catalog): string {
  const scope = rowScope(source, catalog)
  const references = Object.entries(source.join ?? {})
  const optional = Object.entries(source.optionalJoin ?? {})
  const from = [
    references.length > 0 ? `from ${references.map(([table]) => table).join(', ')}` : '',
    references.length === 0 && optional.length > 0 ? 'from (select) as event' : '',
    ...optional.map(([table, column]) => `left join ${table} on ${table}.id = ${scope.row}.${column}`),
    references.length > 0
      ? `where ${references.map(([table, column]) => `${table}.id = ${scope.row}.${column}`).join(' and ')}`
      : '',
  ]
  return `begin
${insertEvents(scope, source, `'${types[0]?.type}'`, source, from, '  ')}
  return null;
end`
}

function statementBody({ source, types }: Trigger, catalog: Catalog): string {
  const hasManyTypes = types.length > 1
  const changed = { ...catalog, table: source.table, row: 'changed', before: 'before' }
  const scope = { ...changed, row: hasManyTypes ? 'news' : 'changed' }
  const type = hasManyTypes ? 'news.type' : `'${types[0]?.type}'`
  const from = [
    ...(hasManyTypes ? newsTable(changed, source, types) : ['from changed', ...joinBefore(source)]),
    ...Object.entries(source.join ?? {}).map(([table, column]) => `join ${table} on ${table}.id = ${scope.row}.${column}`),
    ...Object.entries(source.optionalJoin ?? {}).map(
      ([table, column]) => `left join ${table} on ${table}.id = ${scope.row}.${column}`,
    ),
    whereClause(scope, source, types),
  ]
  const single = (indent: string) => insertEvents(scope, source, type, source, from, indent)
  if (!source.many) return `begin\n${single('  ')}\n  return null;\nend`
  return `begin
  if (select count(*) from (select from changed${thresholdCondition(changed, types)} limit ${maxSingleEvents + 1}) as event) > ${maxSingleEvents} then
${insertEvents(scope, { ...source, computer: undefined }, type, source.many, from, '    ')}
  else
${single('    ')}
  end if;
  return null;
end`
}

const joinBefore = ({ key }: EventSource) => (key ? [`join before using (${key.join(', ')})`] : [])

function newsTable(scope: Scope, source: EventSource, types: Trigger['types']): string[] {
  return [
    'from (',
    '  select case',
    ...types.map(({ type, when }) => `    when ${inScope(scope, when ?? 'true')} then '${type}'`),
    '  end as type, changed.*',
    ['  from changed', ...joinBefore(source)].join(' '),
    ') as news',
  ]
}

function whereClause(scope: Scope, source: EventSource, types: Trigger['types']): string {
  if (types.length > 1) return 'where news.type is not null'
  const when = types[0]?.when
  const conditions = [renderChangeCondition(scope, source), when && inScope(scope, when)].filter(Boolean)
  return conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''
}

/** Rows that a condition on the row alone excludes do not count. */
function thresholdCondition(scope: Scope, types: Trigger['types']): string {
  const [condition] = types.map(({ when }) => when)
  if (types.length > 1 || !condition || condition.match(/\b(?!row\b)[a-z_]+\.[a-z_]+/)) return ''
  return ` where ${inScope(scope, condition)}`
}

function insertEvents(
  scope: Scope,
  { computer }: { computer?: EventSource['computer'] | undefined },
  type: string,
  content: AnyContent,
  from: readonly string[],
  indent: string,
): string {
  const groupBy = content.groupBy ? [...content.groupBy.map((column) => renderValue(scope, column))] : []
  const groups = new Set([...(type.startsWith("'") ? [] : [type]), ...groupBy, ...listPlainColumns(scope, content)])
  const isCount = !content.groupBy && Object.values(content.data).includes(numberOfRows)
  const clauses = [
    `insert into event_outbox (type, subject${computer ? ', computer_id' : ''}, data)`,
    `select ${type}, ${renderSubject(scope, content.subject)},${computer ? ` ${renderValue(scope, computer)},` : ''}`,
    `  ${renderObject(scope, content.data)}`,
    ...from,
    content.groupBy ? `group by ${[...groups].join(', ')}` : '',
    isCount ? 'having count(*) > 0' : '',
    content.orderBy ? `order by ${content.orderBy.map((column) => inScope(scope, column)).join(', ')}` : '',
  ]
  return `${clauses
    .filter((clause) => clause !== '')
    .map((clause) => `${indent}${clause}`)
    .join('\n')};`
}
