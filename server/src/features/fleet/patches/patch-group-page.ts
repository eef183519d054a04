import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { computersBelow } from '../../groups/affected-computers.ts'
import { hasOnlyPreviousScan, missingPatches } from '../../patches/missing-patches.ts'

const assignedGroups = (pmGroupId: number) =>
  sql<{ group_id: string }>`select group_id from pm_group_assignments where pm_group_id = ${pmGroupId}`

/** The computers to which the PM group is assigned; counted once, however many groups bring it to them. */
export async function countAssignedComputers(db: Database, pmGroupId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(distinct computer_id)::integer as count from (${computersBelow(assignedGroups(pmGroupId))}) as assigned`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}

type Emergency = { groupId: string; startedUtc: Date; computers: number }

/** The emergency patching of a PM group with the number of its computers; null if there is none. */
export async function findEmergencyOfGroup(db: Database, pmGroupId: number): Promise<Emergency | null> {
  const { rows } = await sql<Emergency>`
    select emergencies.group_id as "groupId", emergencies.started_at as "startedUtc",
      (select count(*)::integer from group_computers member where member.group_id = emergencies.group_id) as computers
    from emergencies where pm_group_id = ${pmGroupId}`.execute(db)
  return rows[0] ?? null
}

/** How often patches of the PM group are missing on computers, from the kept counts. */
export async function countMissingOfGroup(db: Database, pmGroupId: number): Promise<number> {
  const { rows } = await sql<{ missing: number }>`
    select coalesce(sum(missing), 0)::integer as missing
    from pm_group_patches join patch_counts using (patch_id, product_id) where pm_group_id = ${pmGroupId}`.execute(db)
  return rows[0]?.missing ?? 0
}

type Candidate = { clientId: number; missingPatches: number }

/**
 * The computers to which the PM group is assigned and that lack some of its patches. One that has not been scanned since its
 * operating system was installed is none: an emergency could do nothing there yet.
 */
function candidates(pmGroupId: number): RawBuilder<Candidate> {
  return sql<Candidate>`
    select missing.computer_id as "clientId", count(*)::integer as "missingPatches"
    from (${missingPatches}) as missing
      join pm_group_patches listed on listed.patch_id = missing.patch_id and listed.product_id = missing.product_id
    where listed.pm_group_id = ${pmGroupId}
      and missing.computer_id in (${computersBelow(assignedGroups(pmGroupId))})
      and not ${hasOnlyPreviousScan('missing.computer_id')}
    group by missing.computer_id`
}

export function matchingCandidates(db: Database, pmGroupId: number) {
  return db
    .selectFrom(sql<Candidate>`(${candidates(pmGroupId)})`.as('candidate'))
    .select(['candidate.missingPatches', 'candidate.clientId'])
}

export function candidateRows(db: Database, pmGroupId: number) {
  return db
    .selectFrom('computers')
    .leftJoin('computer_contacts', 'computer_contacts.computer_id', 'computers.id')
    .select([
      'computers.id as clientId',
      sql<number>`(
        select count(*)::integer from (${missingPatches}) as missing
          join pm_group_patches listed on listed.patch_id = missing.patch_id and listed.product_id = missing.product_id
        where missing.computer_id = computers.id and listed.pm_group_id = ${pmGroupId}::integer)`.as('missingPatches'),
      'computers.name as hostname',
      'computer_contacts.last_seen_at as lastSeenUtc',
      sql<boolean>`exists (
        select from emergencies join group_computers member on member.group_id = emergencies.group_id
        where emergencies.pm_group_id = ${pmGroupId} and member.computer_id = computers.id)`.as('isInEmergency'),
    ])
}
