import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventTypes } from '../../src/features/events/event-types.ts'
import { operations } from '../../src/features/index.ts'
import { migrationsFolder } from '../../src/installation/files.ts'
import { tableTypesFile } from '../table-types.ts'
import { writeTriggers } from './write-triggers.ts'

export const eventTriggersFile = join(migrationsFolder, 'repeatable/event_triggers.sql')

/** The triggers of all declared events. Their paths are those of the declared operations. */
export function generateEventTriggers(): string {
  return writeTriggers(eventTypes, { pathOf, columnsOf })
}

function pathOf(operation: string): string {
  const found = operations.find(({ id }) => id === operation)
  if (!found) throw new Error(`An event refers to the operation ${operation}, which does not exist.`)
  return found.route.slice(found.route.indexOf(' ') + 1)
}

/** Reads the columns from the generated table types, because types do not exist at run time. */
function columnsOf(table: string): string[] {
  const types = readFileSync(tableTypesFile, 'utf8')
  const [, name] = types.match(new RegExp(`^  ${table}: (\\w+);$`, 'm')) ?? []
  const [, columns] = types.match(new RegExp(`^export interface ${name} \\{\\n([^}]*)\\n\\}`, 'm')) ?? []
  if (!columns) throw new Error(`An event refers to the table ${table}, which does not exist.`)
  return [...columns.matchAll(/^ {2}(\w+):/gm)].map(([, column = '']) => column)
}
