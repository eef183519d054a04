import { pipeline } from 'node:stream/promises'
import { isDeepStrictEqual } from 'node:util'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { BackupError } from './backup-error.ts'
import { damagedBackup } from './backup-source.ts'
import { listForeignKeys, listTriggers, quoteName, type Trigger } from './catalog.ts'
import { copyInStatement } from './copy-statement.ts'
import { displayName } from './display-name.ts'
import type { Sequence } from './format.ts'
import { forwardReferencesOf } from './order-by-references.ts'
import type { Progress } from './progress.ts'
import type { Contents, Part } from './read-backup.ts'

export type Load = {
  client: pg.ClientBase
  contents: Contents
  parts: AsyncGenerator<Part, void, undefined>
  progress: Progress
  signal: AbortSignal
}

/** Replaces the rows of all tables of the backup. Runs in the transaction of the caller. */
export async function loadTables(load: Load): Promise<void> {
  const { client, contents } = load
  const { tables, sequences } = contents.header
  const resumeRules = await suspendRules(client, contents)
  await client.query(`truncate ${tables.map(quoteName).join(', ')}`)
  await copyTables(load)
  for (const sequence of sequences) await setSequence(client, sequence)
  await resumeRules()
}

/**
 * Disables the triggers and defers the foreign keys that refer to a table that is filled later. Only rights of the
 * table owner are needed. Foreign keys are still checked at the end, so a backup cannot violate them.
 */
async function suspendRules(client: pg.ClientBase, { header }: Contents): Promise<() => Promise<void>> {
  const alterTrigger = ({ table, name }: Trigger, action: string) =>
    `alter table ${quoteName(table)} ${action} trigger ${client.escapeIdentifier(name)}`
  const triggers = await listTriggers(client)
  const keys = forwardReferencesOf(header.tables, await listForeignKeys(client))
  for (const trigger of triggers) await client.query(alterTrigger(trigger, 'disable'))
  for (const { child, name } of keys)
    await client.query(
      `alter table ${quoteName(child)} alter constraint ${client.escapeIdentifier(name)} deferrable initially deferred`,
    )
  return async () => {
    await client.query('set constraints all immediate')
    for (const { child, name, deferrability } of keys)
      await client.query(
        `alter table ${quoteName(child)} alter constraint ${client.escapeIdentifier(name)} ${deferrability}`,
      )
    const enable = { O: 'enable', A: 'enable always', R: 'enable replica' }
    for (const trigger of triggers) await client.query(alterTrigger(trigger, enable[trigger.state]))
  }
}

/** Reads the parts up to the trailer, which is yielded only if the file has not changed since it was verified. */
async function copyTables({ client, contents, parts, progress, signal }: Load): Promise<void> {
  const changedFile = () => damagedBackup('it changed while it was read')
  const first = await parts.next()
  if (first.done || first.value.kind !== 'header' || !isDeepStrictEqual(first.value.header, contents.header))
    throw changedFile()
  let part = await parts.next()
  const advance = async () => {
    part = await parts.next()
  }
  async function* rowsOfTable(): AsyncGenerator<Buffer, void, undefined> {
    for (await advance(); !part.done && part.value.kind === 'data'; await advance()) {
      progress.bytes(part.value.chunk.length)
      yield part.value.chunk
    }
  }
  while (!part.done && part.value.kind === 'table') {
    const { index } = part.value
    const table = contents.header.tables[index]
    if (!table) throw changedFile()
    progress.step(displayName(table))
    const copy = client.query(copyFrom(copyInStatement(table)))
    await pipeline(rowsOfTable, copy, { signal })
    if (copy.rowCount !== contents.trailer.tables[index]?.rows)
      throw new BackupError(`The database accepted only ${copy.rowCount} rows of ${displayName(table)}.`)
    progress.done(copy.rowCount)
  }
  if (part.done || part.value.kind !== 'trailer') throw changedFile()
}

/** Restarting gives the sequence new storage. Without it, a rollback would not bring back the old value. */
async function setSequence(client: pg.ClientBase, sequence: Sequence): Promise<void> {
  await client.query(`alter sequence ${quoteName(sequence)} restart`)
  await client.query('select setval($1::regclass, $2::bigint, $3)', [
    quoteName(sequence),
    sequence.lastValue,
    sequence.isCalled,
  ])
}
