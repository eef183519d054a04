import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { isStatementRefused } from '../../database/errors.ts'
import type { Step } from '../../platform/steps.ts'
import { computersBelow } from '../groups/affected-computers.ts'
import { isSpecial } from '../groups/groups.ts'
import { withdrawUnjustifiedWork } from '../work-states/withdraw-work.ts'
import type { replacementStatuses } from './api/groups/schemas.ts'
import { withdrawUnassigned } from './assign-to-group.ts'
import { findGroupsCoveredByClass } from './software-class-coverage.ts'

type Status = (typeof replacementStatuses)[number]

const explanations: Record<Status, { success: boolean; message: string }> = {
  Replaced: { success: true, message: 'The new package took the place of the old one.' },
  AlreadyAssigned: { success: true, message: 'The group already had the new package; the old one was removed.' },
  SpecialGroup: { success: false, message: 'The group is a Reinstall, EOL or Restore group.' },
  CoveredBySoftwareClass: {
    success: false,
    message: 'The new package belongs to a software class that is assigned to the group or to one of its ancestors.',
  },
  Failed: { success: false, message: 'The group could not be changed. The service log has the reason.' },
}

export type PackageReplacement = { oldId: string; newId: string; copyOptions: boolean }

type Group = { id: string; path: string }

type Outcome = { status: Status; distributionOptionsCopied: boolean }

/** Ends the step of a group without a change. Without a status, the group no longer has the old package. */
class GroupUnchanged extends Error {
  readonly status: Status | undefined

  constructor(status?: Status) {
    super(status)
    this.status = status
  }
}

/** The groups to which the package is assigned directly, in the order of the answer. */
export async function listGroupsToReplaceIn(db: Database, packageId: string): Promise<Group[]> {
  return db
    .selectFrom('groups')
    .innerJoin('group_packages', 'group_packages.group_id', 'groups.id')
    .select(['groups.id', 'groups.path'])
    .where('group_packages.package_id', '=', packageId)
    .orderBy('groups.id')
    .execute()
}

/**
 * Replaces the package in one group, in its own transaction. Returns the result for the answer, or undefined if the
 * group or its assignment was deleted in the meantime.
 */
export async function replaceInGroup(
  step: Step,
  { id, path }: Group,
  replacement: PackageReplacement,
  logFailure: (groupId: string, error: unknown) => void,
) {
  const toResult = ({ status, distributionOptionsCopied }: Outcome) => {
    const { success, message } = explanations[status]
    return { groupId: id, groupPath: path, success, status, distributionOptionsCopied, message }
  }
  try {
    const target = `/api/group/${id}/packages/${replacement.newId}`
    return toResult(await step(target, (db) => replaceIfPossible(db, id, replacement)))
  } catch (error) {
    if (error instanceof GroupUnchanged)
      return error.status && toResult({ status: error.status, distributionOptionsCopied: false })
    // Other errors, such as a lost connection, concern the whole request and not this group alone.
    if (!isStatementRefused(error)) throw error
    logFailure(id, error)
    return toResult({ status: 'Failed', distributionOptionsCopied: false })
  }
}

async function replaceIfPossible(db: Database, groupId: string, replacement: PackageReplacement): Promise<Outcome> {
  const { name, ...outcome } = await exchangeIfPossible(db, groupId, replacement)
  await withdrawUnassigned(db, { id: groupId, name }, sql`select ${replacement.oldId}::uuid as package_id`)
  return outcome
}

/** What the replacement in several groups did to one of them. Undefined: it no longer had the old package. */
export type GroupReplacement = Outcome['status'] | undefined

/**
 * Replaces packages in several groups, in the transaction of the caller. All groups are locked first, and work is withdrawn last:
 * computers follow groups in the order of locks. Returns what became of each replacement, in their order.
 */
export async function replaceInGroups(
  db: Database,
  replacements: readonly (PackageReplacement & { groupId: string })[],
): Promise<GroupReplacement[]> {
  const groupIds = replacements.map(({ groupId }) => groupId)
  const { rows: groups } = await sql<{ name: string }>`
    select name from groups where id = any(${groupIds}::uuid[]) order by id for update`.execute(db)
  const statuses: GroupReplacement[] = []
  for (const { groupId, ...replacement } of replacements)
    statuses.push(
      await exchangeIfPossible(db, groupId, replacement).then(
        ({ status }) => status,
        (error: unknown) => {
          if (error instanceof GroupUnchanged) return error.status
          throw error
        },
      ),
    )
  const oldIds = replacements.map(({ oldId }) => oldId)
  await withdrawUnjustifiedWork(
    db,
    {
      computers: computersBelow(sql`select unnest(${groupIds}::uuid[]) as group_id`),
      packages: sql`select unnest(${oldIds}::uuid[]) as package_id`,
    },
    { reason: 'Unassigned', subject: groups.length === 1 ? (groups[0]?.name ?? null) : null },
  )
  return statuses
}

async function exchangeIfPossible(
  db: Database,
  groupId: string,
  replacement: PackageReplacement,
): Promise<Outcome & { name: string }> {
  const { kind, name, hasNew } = await lockGroupAndAssignments(db, groupId, replacement)
  if (isSpecial(kind)) throw new GroupUnchanged('SpecialGroup')
  const covered = hasNew ? undefined : await findGroupsCoveredByClass(db, [groupId], replacement.newId)
  if (covered?.has(groupId)) throw new GroupUnchanged('CoveredBySoftwareClass')
  await lockOptions(db, groupId, replacement)
  return { name, ...(await exchangePackages(db, groupId, replacement)) }
}

/**
 * Locks the group before its assignments, in the same order as its deletion does. Locks the assignments of both packages
 * in the order of their ids: two replacements in opposite directions then wait for each other and cannot deadlock.
 */
async function lockGroupAndAssignments(db: Database, groupId: string, { oldId, newId }: PackageReplacement) {
  const { rows } = await sql<{ kind: string; name: string; package_id: string }>`
    select g.kind, g.name, assigned.package_id
    from groups g join group_packages assigned on assigned.group_id = g.id
    where g.id = ${groupId} and assigned.package_id in (${oldId}, ${newId})
    order by assigned.package_id
    for update of g, assigned`.execute(db)
  const old = rows.find(({ package_id }) => package_id === oldId)
  if (!old) throw new GroupUnchanged()
  return { kind: old.kind, name: old.name, hasNew: rows.length > 1 }
}

/** Waits for a concurrent change of the options, which is then copied instead of lost. */
async function lockOptions(db: Database, groupId: string, { oldId }: PackageReplacement): Promise<void> {
  await sql`
    select from distribution_options where group_id = ${groupId} and package_id = ${oldId} for update`.execute(db)
}

async function exchangePackages(
  db: Database,
  groupId: string,
  { oldId, newId, copyOptions }: PackageReplacement,
): Promise<Outcome> {
  const options = sql`dist_commands, schedule, revoke_count, wol, revoke_date, optional_date, user_deadline, pre_download`
  const { rows } = await sql<{ added: boolean; copied: boolean }>`
    with added as (
        insert into group_packages (group_id, package_id) values (${groupId}, ${newId})
        on conflict do nothing returning group_id
      ),
      copied as (
        insert into distribution_options (group_id, package_id, ${options})
        select group_id, ${newId}, ${options} from distribution_options join added using (group_id)
        where package_id = ${oldId} and ${copyOptions} returning group_id
      ),
      removed as (delete from group_packages where group_id = ${groupId} and package_id = ${oldId})
    select exists (select from added) as added, exists (select from copied) as copied`.execute(db)
  const [{ added, copied } = { added: false, copied: false }] = rows
  return { status: added ? 'Replaced' : 'AlreadyAssigned', distributionOptionsCopied: copied }
}
