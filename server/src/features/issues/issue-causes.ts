import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { failureCauses } from '../deployments/failures/current-failures.ts'
import { type CauseKind, columnsOf, type Issue } from './issue.ts'
import { type IssueName, issues } from './issues.ts'

/** The id of the cause of computers of which it is unknown. */
const unknownCause = '-'

const maxCauses = 50

export type IssueCause = {
  causeId: string
  /** Null if it is unknown. */
  name: string | null
  count: number
  exampleClientId: number
  exampleHostname: string
}

type CausedOccurrence = { computer_id: number; cause_id: string }

/** Selects a computer and the id of the cause for each occurrence, by the default thresholds. */
export function causedOccurrences({ occurrences, cause }: Issue): RawBuilder<CausedOccurrence> {
  return sql<CausedOccurrence>`
    select occurrence.computer_id, coalesce(${cause.id(columnsOf('occurrence'))}::text, ${unknownCause}) as cause_id
    from (${occurrences({})}) as occurrence`
}

/** What people call the cause with the id. */
function nameOf(kind: CauseKind, id: RawBuilder<string>): RawBuilder<string | null> {
  const known = sql`nullif(${id}, ${unknownCause})`
  switch (kind) {
    case 'Package':
      return sql`(select concat_ws(' ', name, version) from packages where packages.id = ${known}::uuid)`
    case 'Patch':
      return sql`(select coalesce(concat_ws(' ', q_number, coalesce(bulletin_title, name)), name)
        from patches where patches.id = ${known}::integer)`
    case 'Group':
      return sql`(select path from groups where groups.id = ${known}::uuid)`
    default:
      return sql`${known}`
  }
}

export function requireIssue(name: IssueName): Issue {
  const found = issues.find((one) => one.name === name)
  if (!found) throw new Error(`There is no issue ${name}.`)
  return found as unknown as Issue
}

/** Counts the computers with the issue now, and by what they have in common: the most frequent cause first. */
export async function countIssueCauses(
  db: Database,
  issue: Issue,
): Promise<{ computers: number; causes: IssueCause[] }> {
  const { rows } = await sql<{ computers: number; causes: IssueCause[] }>`
    with occurrence as materialized (
      select computer_id, cause_id from (${causedOccurrences(issue)}) as caused group by 1, 2
    ), grouped as (
      select cause_id, count(*)::integer as count, min(computer_id) as computer_id
      from occurrence group by cause_id order by 2 desc, 1 limit ${maxCauses}
    )
    select (select count(*)::integer from (select from occurrence group by computer_id) as affected) as computers, (
      select coalesce(jsonb_agg(jsonb_build_object('causeId', grouped.cause_id,
        'name', ${nameOf(issue.cause.kind, sql.ref('grouped.cause_id'))}, 'count', grouped.count,
        'exampleClientId', computers.id, 'exampleHostname', computers.name) order by grouped.count desc, grouped.cause_id), '[]')
      from grouped join computers on computers.id = grouped.computer_id) as causes`.execute(db)
  const [counted] = rows
  if (!counted) throw new Error('A select without a from clause returns one row.')
  return counted
}

/** The failures of all packages by package, exit code and output. */
export async function listDeploymentFailureCauses(db: Database) {
  const { rows } = await failureCauses().execute(db)
  return rows
}
