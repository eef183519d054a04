import { randomBytes } from 'node:crypto'
import { inject, onTestFinished } from 'vitest'
import { type ConnectedDatabase, type Connection, connect } from '../../../src/database/connect.ts'
import { onDatabase } from '../../world/template-database.ts'

export type OwnDatabase = ConnectedDatabase & { connection: Connection }

/** Creates an empty database, which is dropped after the test. */
export async function emptyDatabase({ owner }: { owner?: string } = {}): Promise<OwnDatabase> {
  return await createDatabase('template1', owner)
}

async function createDatabase(template: string, owner?: string): Promise<OwnDatabase> {
  const server = inject('postgres')
  const name = `muster_test_${randomBytes(6).toString('hex')}`
  const maintenance = connect(server, { size: 1 })
  await maintenance.pool.query(
    `create database ${name} template ${template} strategy file_copy ${owner ? `owner ${owner}` : ''}`,
  )
  const connection = asUser(onDatabase(server, name), owner)
  const database = connect(connection)
  onTestFinished(async () => {
    await database.close()
    await maintenance.pool.query(`drop database ${name} with (force)`)
    if (owner) await maintenance.pool.query(`drop role ${owner}`)
    await maintenance.close()
  })
  return { ...database, connection }
}

/** Creates a database with the tables of this version and only the rows that the migrations insert. */
export async function migratedDatabase(): Promise<OwnDatabase> {
  return await createDatabase(inject('template'))
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

/** Inserts audit entries of almost two kilobytes each, which compress badly. */
export async function fillAuditTrail({ pool }: ConnectedDatabase, entries: number): Promise<void> {
  await pool.query(
    `insert into audit_entries (chain, position, occurred_at, principal_id, principal_name, operation, target, request,
       status, request_id, previous_hash, hash)
     select 0, 1000000 + n + (select coalesce(max(position), 0) from audit_entries), now() + n * interval '1 ms', 1, 'filler', 'updateGroup', 'group ' || n,
       jsonb_build_object('noise',
         (select string_agg(encode(sha512((n || ' ' || part)::bytea), 'hex'), '') from generate_series(1, 13) part)),
       200, md5(n::text), sha256(n::text::bytea), sha256((n + 1)::text::bytea)
     from generate_series(1, $1::int) n`,
    [entries],
  )
}
