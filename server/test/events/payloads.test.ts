import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect, test } from 'vitest'
import { eventTypes } from '../../src/features/events/event-types.ts'
import { eventTriggersFile, generateEventTriggers } from '../../tools/event-triggers/event-triggers.ts'
import { copyOfTemplate } from '../world/test-database.ts'
import { payloadStatements } from './payload-statements.ts'

type Row = { type: string; subject: string; computer_id: number | null; data: Record<string, unknown> }

const { pool } = await copyOfTemplate()
const rows: Row[] = []
const written: string[] = []
let section = ''
for (const { title, statement } of payloadStatements()) {
  await pool.query(statement)
  const { rows: events } = await pool.query<Row>(
    'with taken as (delete from event_outbox returning *) select type, subject, computer_id, data from taken order by id',
  )
  if (title !== section) written.push('', `# ${title}`)
  section = title
  written.push(...events.map(describeEvent))
  rows.push(...events)
}

/** One line. Of long lists, the first item and the number of the others. */
function describeEvent({ type, subject, computer_id, data }: Row): string {
  const shortened = Object.entries(data).map(([name, value]) =>
    Array.isArray(value) && value.length > 3 ? [name, [value[0], `and ${value.length - 1} more`]] : [name, value],
  )
  const text = JSON.stringify(Object.fromEntries(shortened)).replace(/modifiedAfter=[^"]*/, 'modifiedAfter=…')
  return `${type.replace('muster.', '')} ${subject} ${computer_id ?? '-'} ${text}`
}

test('every declared source leaves exactly these events', async () => {
  await expect(`${written.slice(1).join('\n')}\n`).toMatchFileSnapshot(join(import.meta.dirname, 'payloads.txt'))
})

test('every declared type is among them, with data that matches its schema', () => {
  const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }))
  const faults = eventTypes.flatMap(({ type, data }) => {
    const events = rows.filter((row) => row.type === type)
    const check = ajv.compile(data)
    return events.length === 0
      ? [`${type} does not occur`]
      : events
          .filter((event) => !check(event.data))
          .map((event) => `${type} ${JSON.stringify([event.data, check.errors])}`)
  })

  expect(faults).toEqual([])
  expect(rows.filter(({ type }) => !eventTypes.some((declared) => declared.type === type))).toEqual([])
})

test('the triggers in the repository are those of the declared types', async () => {
  expect(await readFile(eventTriggersFile, 'utf8')).toBe(generateEventTriggers())
})

test('every source gives all required properties of its type and no unknown ones', () => {
  const faults = eventTypes.flatMap(({ type, data, sources }) => {
    const known = Object.keys(data.properties as object)
    const required = (data.required ?? []) as string[]
    return sources
      .flatMap((source) => [source.data, ...(source.many ? [source.many.data] : [])])
      .flatMap((given) => [
        ...Object.keys(given).filter((name) => !known.includes(name)),
        ...required.filter((name) => !(name in given)),
      ])
      .map((name) => `${type} ${name}`)
  })

  expect(faults).toEqual([])
})
