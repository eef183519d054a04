import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'

export type AuditFault = { chain: number; position: number; entryId: number | null; reason: string }

export type AuditVerification = { entries: number; faults: AuditFault[] }

const maxFaults = 100

/** Recomputes the hash chains and finds entries that were changed, inserted or deleted. */
export async function verifyAuditTrail(db: Database): Promise<AuditVerification> {
  return db.transaction().execute(async (tx) => {
    await sql`set transaction isolation level repeatable read, read only`.execute(tx)
    await sql`set local statement_timeout = 0`.execute(tx)
    const { entries } = await tx
      .selectFrom('audit_entries')
      .select(({ fn }) => fn.countAll<number>().as('entries'))
      .executeTakeFirstOrThrow()
    return { entries, faults: await listAuditFaults(tx) }
  })
}

export async function listAuditFaults(db: Database): Promise<AuditFault[]> {
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
        when not follows then 'The entry does not contain the hash of the previous entry.'
        else 'The previous entry is missing.' end as reason
    from checked where not (is_intact and follows and is_in_place)
    union all
    select c.chain, c.position, null, 'The chain ends before or after its recorded end.'
    from audit_chains c left join ends e using (chain)
    where (c.position, c.hash) is distinct from (coalesce(e.position, 0), coalesce(e.hash, '\\x'::bytea))
    order by chain, position
    limit ${maxFaults}`.execute(db)
  return rows
}
