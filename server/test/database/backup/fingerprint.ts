import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'

/** Hashes the rows of each table and the state of each sequence. */
export async function fingerprint(pool: pg.Pool): Promise<Record<string, string>> {
  const client = await pool.connect()
  try {
    const { rows } = await client.query<{ schema: string; name: string; kind: string; key: string[] }>(`
      select n.nspname as schema, c.relname as name, c.relkind as kind,
        array(select a.attname::text from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = any (i.indkey)
          where i.indrelid = c.oid and i.indisprimary order by array_position(i.indkey, a.attnum)) as key
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'S') and n.nspname !~ '^(pg_|information_schema)'
      order by 1, 2`)
    const hashes: Record<string, string> = {}
    for (const { schema, name, kind, key } of rows) {
      const relation = `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`
      const order = key.length > 0 ? `order by ${key.map(pg.escapeIdentifier).join(', ')}` : ''
      const hash = createHash('sha256')
      const columns = kind === 'S' ? 'last_value, is_called' : '*'
      const rows = client.query(copyTo(`copy (select ${columns} from ${relation} ${order}) to stdout (format binary)`))
      await pipeline(rows, hash)
      hashes[relation] = hash.digest('hex')
    }
    return hashes
  } finally {
    client.release()
  }
}
