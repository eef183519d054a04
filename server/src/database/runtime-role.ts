import pg from 'pg'
import { MigrationError } from './migrations/migration-error.ts'

/** The tables that the service itself must not write to. Entries of the audit trail are appended by a function. */
const readOnlyTables = ['audit_entries', 'audit_chains', 'migrations', 'repeatable_migrations']

const schemas = `n.nspname in ('public', 'pgboss')`

/**
 * Grants the role of the service the right to read and write rows, and nothing else. The connection belongs to the
 * owner of the tables. Changes nothing if the rights are as they should be.
 */
export async function grantRuntimeRights(client: pg.ClientBase, role: string): Promise<void> {
  if (await hasRuntimeRights(client, role)) return
  const name = pg.escapeIdentifier(role)
  const { rows } = await client.query<{ schema: string }>(
    `select nspname as schema from pg_namespace n where ${schemas}`,
  )
  for (const schema of rows.map((row) => pg.escapeIdentifier(row.schema)))
    await client.query(`
      grant usage on schema ${schema} to ${name};
      grant select, insert, update, delete on all tables in schema ${schema} to ${name};
      grant usage, select on all sequences in schema ${schema} to ${name}`)
  await client.query(
    `revoke insert, update, delete, truncate on ${readOnlyTables.map((table) => `public.${table}`).join(', ')} from ${name}`,
  )
}

type Fault = { isSuperuser: boolean; isMember: boolean; canCreate: boolean; owner: string }

/** Throws if the role of the service can do what only the owner should. */
export async function requireSeparateRole(client: Pick<pg.ClientBase, 'query'>, role: string): Promise<void> {
  const { rows } = await client.query<Fault>(
    `select rolsuper as "isSuperuser", pg_has_role(rolname, current_user, 'MEMBER') as "isMember",
       has_schema_privilege(rolname, 'public', 'create') as "canCreate", current_user as owner
     from pg_roles where rolname = $1`,
    [role],
  )
  const [found] = rows
  const refuse = (reason: string): never => {
    throw new MigrationError(`The database role ${role} of MUSTER_DATABASE_URL ${reason}`)
  }
  if (!found) return refuse('does not exist at MUSTER_DATABASE_OWNER_URL. Both must lead to the same server.')
  if (found.isSuperuser) refuse('is a superuser, so nothing protects the audit trail from it.')
  if (found.isMember) refuse(`can act as the owner ${found.owner}, so nothing protects the audit trail from it.`)
  if (found.canCreate)
    refuse('may create objects in the schema public. Run: revoke create on schema public from public')
}

async function hasRuntimeRights(client: pg.ClientBase, role: string): Promise<boolean> {
  const { rows } = await client.query<{ isComplete: boolean }>(
    `select bool_and(case when n.nspname = 'public' and c.relname = any ($2)
         then has_table_privilege($1, c.oid, 'select')
           and not has_table_privilege($1, c.oid, 'insert, update, delete, truncate')
         when c.relkind = 'S' then has_sequence_privilege($1, c.oid, 'usage') and has_sequence_privilege($1, c.oid, 'select')
         else has_table_privilege($1, c.oid, 'select') and has_table_privilege($1, c.oid, 'insert')
           and has_table_privilege($1, c.oid, 'update') and has_table_privilege($1, c.oid, 'delete') end
         and has_schema_privilege($1, n.oid, 'usage')) as "isComplete"
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where ${schemas} and c.relkind in ('r', 'p', 'v', 'S')`,
    [role, readOnlyTables],
  )
  return rows[0]?.isComplete ?? false
}

/** The role with which the pool connects. */
export async function currentRole(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<{ role: string }>('select current_user as role')
  return rows[0]?.role ?? ''
}
