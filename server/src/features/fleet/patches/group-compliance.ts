import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { containing } from '../../../platform/like-pattern.ts'
import { cellKey, type missingBySeverity } from '../../issues/group-patch-compliance.ts'
import { type PatchSeverity, patchSeverities } from '../../patches/patch-severities.ts'
import type { ReleaseAge } from '../../patches/release-ages.ts'
import { isVisibleGroup } from '../pages/group-summaries.ts'

export type ComplianceFilter = {
  search?: string
  severity?: PatchSeverity
  age?: ReleaseAge
  overdue?: boolean
}

/** The numbers of a cell of `group_patch_compliance`, in their order. */
const cellNumbers = ['lackingComputers', 'overdueComputers', 'missingPatches', 'overduePatches'] as const

/** A number of a cell of the row `kept`; zero if nothing is missing there. */
function numberOf(cell: string, number: (typeof cellNumbers)[number]): RawBuilder<number> {
  const path = `{${cell},${cellNumbers.indexOf(number)}}`
  return sql<number>`coalesce((kept.cells #>> ${sql.lit(path)})::integer, 0)`
}

type BySeverity = Record<Lowercase<PatchSeverity>, number>

function overdueBySeverity(age: ReleaseAge | undefined): RawBuilder<BySeverity> {
  const counts = patchSeverities.toReversed().flatMap((severity) => {
    return [sql.lit(severity.toLowerCase()), numberOf(cellKey(severity, age), 'overdueComputers')]
  })
  return sql<BySeverity>`jsonb_build_object(${sql.join(counts)})`
}

/** The kept compliance of groups, each with the groups below it, for the patches that meet the filter. */
export function groupComplianceRows(db: Database, { severity, age }: ComplianceFilter = {}) {
  const cell = cellKey(severity, age)
  const overdueComputers = numberOf(cell, 'overdueComputers')
  return db
    .selectFrom('groups')
    .innerJoin('group_patch_compliance as kept', 'kept.group_id', 'groups.id')
    .select([
      'groups.id as groupId',
      'groups.path',
      sql<number>`(select count(*)::integer from group_computers member where member.group_id = groups.id)`.as(
        'members',
      ),
      'kept.computer_count as computers',
      'kept.scanned',
      'kept.compliant',
      sql<Record<keyof typeof missingBySeverity, number>>`kept.missing`.as('missing'),
      numberOf(cell, 'lackingComputers').as('lackingComputers'),
      numberOf(cell, 'missingPatches').as('missingPatches'),
      // A scan may arrive between the two counts.
      sql<number>`greatest(kept.scanned - ${overdueComputers}, 0)`.as('withinSla'),
      overdueComputers.as('overdueComputers'),
      numberOf(cell, 'overduePatches').as('overduePatches'),
      overdueBySeverity(age).as('overdue'),
    ])
}

/** The groups that have computers, or groups below with computers, as of the last count. */
export function matchingGroups(db: Database, { search, severity, age, overdue }: ComplianceFilter = {}) {
  const text = search?.trim()
  let groups = db
    .selectFrom('groups')
    .innerJoin('group_patch_compliance as kept', 'kept.group_id', 'groups.id')
    .select(['groups.path', 'groups.id as groupId'])
    .where(isVisibleGroup)
  if (text) groups = groups.where('groups.path', 'ilike', containing(text))
  if (overdue !== undefined)
    groups = groups.where(
      sql<boolean>`(${numberOf(cellKey(severity, age), 'overduePatches')} > 0) = ${overdue}::boolean`,
    )
  return groups
}
