import { pipeline } from 'node:stream/promises'
import { isDeepStrictEqual } from 'node:util'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { BackupError } from './backup-error.ts'
import { listForeignKeys, listTriggers, quoted, type Trigger } from './catalog.ts'
import { copyIn } from './copy-statement.ts'
import { displayName } from './display-name.ts'
import type { Sequence } from './format.ts'
import { referencesAhead } from './order-by-references.ts'
import type { Progress } from './progress.ts'
import type { Contents, Part } from './read-backup.ts'
import { damaged } from './seal.ts'

export type Load = {
  client: pg.ClientBase
  contents: Contents
  parts: AsyncGenerator<Part, void, undefined>
  progress: Progress
  signal: AbortSignal
}

/** Replaces the rows of all tables of the backup, inside the transaction of the caller. */
export async function loadTables(load: Load): Promise<void> {
  const { client, contents } = load
  const { tables, sequences } = contents.header
  const resumeRules = await suspendRules(client, contents)
  await client.query(`truncate ${tables.map(quoted).join(', ')}`)
  await copyTables(load)
  for (const sequence of sequences) await setSequence(client, sequence)
  await resumeRules()
}

/**
 * Switches off what the owner of the tables may switch off: triggers, and the moment when a foreign key is checked if
 * it points to a table that is filled later. The keys themselves stay, so that no backup can break them.
 */
async function suspendRules(client: pg.ClientBase, { header }: Contents): Promise<() => Promise<void>> {
  const alterTrigger = ({ table, name }: Trigger, action: string) =>
    `alter table ${quoted(table)} ${action} trigger ${client.escapeIdentifier(name)}`
  const triggers = await listTriggers(client)
  const keys = referencesAhead(header.tables, await listForeignKeys(client))
  for (const trigger of triggers) await client.query(alterTrigger(trigger, 'disable'))
  for (const { child, name } of keys)
    await client.query(
      `alter table ${quoted(child)} alter constraint ${client.escapeIdentifier(name)} deferrable initially deferred`,
    )
  return async () => {
    await client.query('set constraints all immediate')
    for (const { child, name, deferrability } of keys)
      await client.query(
        `alter table ${quoted(child)} alter constraint ${client.escapeIdentifier(name)} ${deferrability}`,
      )
    const enable = { O: 'enable', A: 'enable always', R: 'enable replica' }
    for (const trigger of triggers) await client.query(alterTrigger(trigger, enable[trigger.state]))
  }
}

/** The parts are read here table by table, and to the last one, which comes only if the file is still what it was. */
async function copyTables({ client, contents, parts, progress, signal }: Load): Promise<void> {
  const changed = () => damaged('it changed while it was read')
  const first = await parts.next()
  if (first.done || first.value.kind !== 'header' || !isDeepStrictEqual(first.value.header, contents.header))
    throw changed()
  let part = await parts.next()
  const advance = async () => {
    part = await parts.next()
  }
  async function* rowsOfTable(): AsyncGenerator<Buffer, void, undefined> {
    for (await advance(); !part.done && part.value.kind === 'data'; await advance()) {
      progress.bytes(part.value.piece.length)
      yield part.value.piece
    }
  }
  while (!part.done && part.value.kind === 'table') {
    const { place } = part.value
    const table = contents.header.tables[place]
    if (!table) throw changed()
    progress.step(displayName(table))
    const copy = client.query(copyFrom(copyIn(table)))
    await pipeline(rowsOfTable, copy, { signal })
    if (copy.rowCount !== contents.trailer.tables[place]?.rows)
      throw new BackupError(
        `The database took ${copy.rowCount} rows of ${displayName(table)}, which is not all of them.`,
      )
    progress.done(copy.rowCount)
  }
  if (part.done || part.value.kind !== 'trailer') throw changed()
}

/** The restart gives the sequence new storage, without which a rollback would not bring the old value back. */
async function setSequence(client: pg.ClientBase, sequence: Sequence): Promise<void> {
  await client.query(`alter sequence ${quoted(sequence)} restart`)
  await client.query('select setval($1::regclass, $2::bigint, $3)', [
    quoted(sequence),
    sequence.lastValue,
    sequence.isCalled,
  ])
}
