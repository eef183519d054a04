import { type EventSource, maxSingleEvents } from '../../src/features/events/event-source.ts'
import type { EventType } from '../../src/features/events/event-type.ts'
import { type Catalog, inScope, renderChangeCondition, renderDifference, type Scope } from './render-values.ts'
import { type ChangedRows, insertStatement, renderContent, usedJoins, writeInsert } from './write-insert.ts'

/** One trigger. Types whose sources differ only in their condition share it, so the rows are read once. */
type Trigger = { types: { type: string; when: string | undefined }[]; source: EventSource; name: string }

const heading = `-- Written by \`npm run generate\` from the declared types of events (server/src/features/events/types). Do not edit.
--
-- Triggers leave the events, so no writer can omit one. They run once per statement where statements change many rows,
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
  const lines = [heading, ...statements].join('\n').split('\n')
  return `${lines.flatMap(wrapLine).join('\n')}\n`
}

const maxLineLength = 120

/** Breaks a long line after commas. No text of the declarations contains a comma and a blank. */
function wrapLine(line: string): string[] {
  const indent = `${' '.repeat(Math.max(line.search(/\S/), 0))}  `
  const lines: string[] = []
  let rest = line
  for (;;) {
    const end = rest.length > maxLineLength ? rest.lastIndexOf(', ', maxLineLength - 1) : -1
    if (end <= indent.length) return [...lines, rest]
    lines.push(rest.slice(0, end + 1))
    rest = `${indent}${rest.slice(end + 2)}`
  }
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
  return `${start}\n  referencing ${rows[on]} for each statement execute function ${functionName}();\n`
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
${insertStatement({ ...renderContent(scope, source, source.computer), type: `'${types[0]?.type}'`, from }, '  ')}
  return null;
end`
}

function statementBody({ source, types }: Trigger, catalog: Catalog): string {
  const isShared = types.length > 1
  const scope: Scope = { ...catalog, table: source.table, row: isShared ? 'news' : 'changed', before: 'before' }
  const conditions = [renderChangeCondition(scope, source), types[0]?.when].filter((condition) => condition)
  const rows: ChangedRows = {
    scope,
    type: isShared ? 'news.type' : `'${types[0]?.type}'`,
    from: isShared ? newsTable(source, types) : ['from changed', ...joinBefore(source)],
    condition: isShared ? 'news.type is not null' : conditions.join(' and '),
  }
  // An upsert runs the triggers of inserts and of updates, one of them usually without rows.
  if (!source.many)
    return `begin
  if not exists (select from changed) then return null; end if;
${writeInsert(rows, source, source, '  ')}
  return null;
end`
  const counted = `select from changed${thresholdCondition(rows.scope, types)} limit ${maxSingleEvents + 1}`
  return `declare
  number_of_rows integer := (select count(*) from (${counted}) as counted);
begin
  if number_of_rows = 0 then return null; end if;
  if number_of_rows > ${maxSingleEvents} then
${writeInsert(rows, usedJoins(source, rows), source.many, '    ')}
  else
${writeInsert(rows, source, source, '    ')}
  end if;
  return null;
end`
}

const joinBefore = ({ key }: EventSource) => (key ? [`join before using (${key.join(', ')})`] : [])

function newsTable(source: EventSource, types: Trigger['types']): string[] {
  return [
    'from (',
    '  select case',
    ...types.map(({ type, when }) => `    when ${(when ?? 'true').replaceAll('row.', 'changed.')} then '${type}'`),
    '  end as type, changed.*',
    ['  from changed', ...joinBefore(source)].join(' '),
    ') as news',
  ]
}

/** Rows that a condition on the row alone excludes do not count. */
function thresholdCondition(scope: Scope, types: Trigger['types']): string {
  const [condition] = types.map(({ when }) => when)
  if (types.length > 1 || !condition || condition.match(/\b(?!row\b)[a-z_]+\.[a-z_]+/)) return ''
  return ` where ${inScope(scope, condition)}`
}
