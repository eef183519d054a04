import { randomBytes } from 'node:crypto'
import { type afterAll, inject, onTestFinished } from 'vitest'
import { type ConnectedDatabase, type Connection, connect } from '../../../src/database/connect.ts'
import { onDatabase } from '../../world/template-database.ts'

export type OwnDatabase = ConnectedDatabase & { connection: Connection }

/** When a database is dropped: after the test, or with `afterAll` after those that share it. */
export type Lifetime = typeof onTestFinished | typeof afterAll

/** Creates an empty database. */
export async function emptyDatabase({
  owner,
  atEnd = onTestFinished,
}: {
  owner?: string
  atEnd?: Lifetime
} = {}): Promise<OwnDatabase> {
  return await createDatabase('template1', atEnd, owner)
}

async function createDatabase(template: string, atEnd: Lifetime, owner?: string): Promise<OwnDatabase> {
  const server = inject('postgres')
  const name = `muster_test_${randomBytes(6).toString('hex')}`
  const maintenance = connect(server, { size: 1 })
  await maintenance.pool.query(
    `create database ${name} template ${template} strategy file_copy ${owner ? `owner ${owner}` : ''}`,
  )
  const connection = asUser(onDatabase(server, name), owner)
  const database = connect(connection)
  atEnd(async () => {
    await database.close()
    await maintenance.pool.query(`drop database ${name} with (force)`)
    if (owner) await maintenance.pool.query(`drop role ${owner}`)
    await maintenance.close()
  })
  return { ...database, connection }
}

/** Creates a database with the tables of this version and only the rows that the migrations insert. */
export async function migratedDatabase(): Promise<OwnDatabase> {
  return await createDatabase(inject('template'), onTestFinished)
}

/** Creates a database user without any rights except on the databases that it owns. */
export async function ordinaryUser(): Promise<string> {
  const name = `owner_${randomBytes(6).toString('hex')}`
  const maintenance = connect(inject('postgres'), { size: 1 })
  await maintenance.pool.query(`create role ${name} login nosuperuser password '${name}'`)
  await maintenance.close()
  return name
}

function asUser(connection: Connection, user: string | undefined): Connection {
  if (!user) return connection
  if (!('connectionString' in connection)) return { ...connection, user }
  const url = new URL(connection.connectionString)
  url.username = user
  url.password = user
  return { connectionString: url.href }
}

/**
 * Inserts audit entries of almost two kilobytes each, which compress badly: the same text returns only beyond what a compressor
 * remembers.
 */
export async function fillAuditTrail({ pool }: ConnectedDatabase, entries: number): Promise<void> {
  await pool.query(
    `with noise as materialized (
       select text, string_agg(encode(sha512((text || ' ' || part)::bytea), 'hex'), '') as noise
       from generate_series(0, 999) text, generate_series(1, 13) part group by text
     )
     insert into audit_entries (chain, position, occurred_at, principal_id, principal_name, operation, target, request,
       status, request_id, previous_hash, hash)
     select 0, 1000000 + n + (select coalesce(max(position), 0) from audit_entries), now() + n * interval '1 ms', 1, 'filler', 'updateGroup', 'group ' || n,
       jsonb_build_object('noise', noise), 200, md5(n::text), sha256(n::text::bytea), sha256((n + 1)::text::bytea)
     from generate_series(1, $1::int) n join noise on noise.text = n % 1000 order by n`,
    [entries],
  )
}
