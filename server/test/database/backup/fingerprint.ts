import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'

/**
 * Hashes the rows of each table and the state of each sequence. The event log is left out: a restore begins a new one. So is
 * the time of the last backup, which is recorded after the backup, and the statistics of queues, which have a table for
 * each day, and the versions of the generated triggers.
 */
export async function fingerprint(pool: pg.Pool): Promise<Record<string, string>> {
  const client = await pool.connect()
  try {
    const { rows } = await client.query<{ schema: string; name: string; kind: string; key: string[] }>(`
      select n.nspname as schema, c.relname as name, c.relkind as kind,
        array(select a.attname::text from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = any (i.indkey)
          where i.indrelid = c.oid and i.indisprimary order by array_position(i.indkey, a.attnum)) as key
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'S') and n.nspname !~ '^(pg_|information_schema|events_by_day)'
        and c.relname not in ('event_log', 'event_days', 'event_outbox', 'last_backup', 'repeatable_migrations')
        and c.relname !~ '^queue_stats_\\d+$'
      order by 1, 2`)
    const relations = rows.map((row) => ({
      ...row,
      relation: `${pg.escapeIdentifier(row.schema)}.${pg.escapeIdentifier(row.name)}`,
    }))
    const hashes = await readStates(client, relations)
    for (const { relation, key } of relations) {
      if (hashes[relation] !== hasRows) continue
      const order = key.length > 0 ? `order by ${key.map(pg.escapeIdentifier).join(', ')}` : ''
      const hash = createHash('sha256')
      await pipeline(client.query(copyTo(`copy (select * from ${relation} ${order}) to stdout (format binary)`)), hash)
      hashes[relation] = hash.digest('hex')
    }
    return hashes
  } finally {
    client.release()
  }
}

const hasRows = 'has rows'

/** The values of sequences, and which tables have rows, in one statement: most tables of a test are empty. */
async function readStates(
  client: pg.PoolClient,
  relations: readonly { relation: string; kind: string }[],
): Promise<Record<string, string>> {
  const states = relations.map(({ relation, kind }) => {
    const name = `${pg.escapeLiteral(relation)} as relation`
    return kind === 'S'
      ? `select ${name}, concat_ws(' ', last_value, is_called) as state from ${relation}`
      : `select ${name}, case when exists (select from ${relation}) then '${hasRows}' else 'is empty' end as state`
  })
  const { rows } = await client.query<{ relation: string; state: string }>(states.join(' union all '))
  return Object.fromEntries(rows.map(({ relation, state }) => [relation, state]))
}

/**
 * Removes the entry that a restore appends to the audit trail so that the database can be compared with the one that
 * was backed up. Returns the entry.
 */
export async function removeRestoreEntry(pool: pg.Pool): Promise<{ principal_name: string; request: unknown }> {
  const client = await pool.connect()
  try {
    const { rows } = await client.query(
      `select * from audit_entries where operation = 'restoreBackup' order by id desc limit 1`,
    )
    const [entry] = rows
    if (!entry) throw new Error('The restore was not audited.')
    await client.query('alter table audit_entries disable trigger user')
    await client.query('delete from audit_entries where id = $1', [entry.id])
    await client.query('alter table audit_entries enable trigger user')
    await client.query('update audit_chains set position = position - 1, hash = $2 where chain = $1', [
      entry.chain,
      entry.previous_hash,
    ])
    await client.query(
      `select setval(pg_get_serial_sequence('audit_entries', 'id'), greatest($1::bigint - 1, 1), $1 > 1)`,
      [entry.id],
    )
    return entry
  } finally {
    client.release()
  }
}
