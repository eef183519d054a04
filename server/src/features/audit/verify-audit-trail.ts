import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'

export type AuditFault = { chain: number; position: number; entryId: number | null; reason: string }

export type AuditVerification = { entries: number; faults: AuditFault[] }

const mostFaults = 100

/** Recomputes the hash chains and tells where an entry was changed, taken out, put in or cut off. */
export async function verifyAuditTrail(db: Database): Promise<AuditVerification> {
  return db.transaction().execute(async (transaction) => {
    await sql`set transaction isolation level repeatable read, read only`.execute(transaction)
    await sql`set local statement_timeout = 0`.execute(transaction)
    const { entries } = await transaction
      .selectFrom('audit_entries')
      .select(({ fn }) => fn.countAll<number>().as('entries'))
      .executeTakeFirstOrThrow()
    return { entries, faults: await auditFaults(transaction) }
  })
}

export async function auditFaults(db: Database): Promise<AuditFault[]> {
  const { rows } = await sql<AuditFault>`
    with checked as (
      select e.id, e.chain, e.position, e.hash,
        e.hash = audit_entry_hash(e) as is_intact,
        e.previous_hash = lag(e.hash, 1, '\\x'::bytea) over in_chain as follows,
        e.position = row_number() over in_chain as is_in_place
      from audit_entries e
      window in_chain as (partition by e.chain order by e.position)
    ), ends as (
      select distinct on (chain) chain, position, hash from checked order by chain, position desc
    )
    select chain, position, id as "entryId",
      case when not is_intact then 'The entry does not match its hash.'
        when not follows then 'The entry does not follow the one before it.'
        else 'An entry before this one is missing.' end as reason
    from checked where not (is_intact and follows and is_in_place)
    union all
    select c.chain, c.position, null, 'The chain ends before or after its recorded end.'
    from audit_chains c left join ends e using (chain)
    where (c.position, c.hash) is distinct from (coalesce(e.position, 0), coalesce(e.hash, '\\x'::bytea))
    order by chain, position
    limit ${mostFaults}`.execute(db)
  return rows
}
