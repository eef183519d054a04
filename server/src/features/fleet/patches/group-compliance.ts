import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { containing } from '../../../platform/like-pattern.ts'
import { allOfThem, type missingBySeverity } from '../../issues/states/group-patch-compliance.ts'
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

/** A number of the row `kept` for patches with this severity and age, or with any; zero if none of them is missing. */
function numberOf({ severity, age }: ComplianceFilter, number: (typeof cellNumbers)[number]): RawBuilder<number> {
  const path = `{${severity ?? allOfThem},${age ?? allOfThem},${cellNumbers.indexOf(number)}}`
  return sql<number>`coalesce((kept.cells #>> ${sql.lit(path)})::integer, 0)`
}

type BySeverity = Record<Lowercase<PatchSeverity>, number>

function overdueBySeverity(age: ReleaseAge | undefined): RawBuilder<BySeverity> {
  const counts = patchSeverities.toReversed().flatMap((severity) => {
    return [sql.lit(severity.toLowerCase()), numberOf({ severity, ...(age && { age }) }, 'overdueComputers')]
  })
  return sql<BySeverity>`jsonb_build_object(${sql.join(counts)})`
}

/** The kept compliance of groups, each with the groups below it, for the patches that meet the filter. */
export function groupComplianceRows(db: Database, filter: ComplianceFilter = {}) {
  const overdueComputers = numberOf(filter, 'overdueComputers')
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
      numberOf(filter, 'lackingComputers').as('lackingComputers'),
      numberOf(filter, 'missingPatches').as('missingPatches'),
      // A scan may arrive between the two counts.
      sql<number>`greatest(kept.scanned - ${overdueComputers}, 0)`.as('withinSla'),
      overdueComputers.as('overdueComputers'),
      numberOf(filter, 'overduePatches').as('overduePatches'),
      overdueBySeverity(filter.age).as('overdue'),
    ])
}

/** The groups that have computers, or groups below with computers, as of the last count. */
export function matchingGroups(db: Database, filter: ComplianceFilter = {}) {
  const { search, overdue } = filter
  const text = search?.trim()
  let groups = db
    .selectFrom('groups')
    .innerJoin('group_patch_compliance as kept', 'kept.group_id', 'groups.id')
    .select(['groups.path', 'groups.id as groupId'])
    .where(isVisibleGroup)
  if (text) groups = groups.where('groups.path', 'ilike', containing(text))
  if (overdue !== undefined)
    groups = groups.where(sql<boolean>`(${numberOf(filter, 'overduePatches')} > 0) = ${overdue}::boolean`)
  return groups
}
