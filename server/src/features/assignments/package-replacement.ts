import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { isStatementRefused } from '../../database/errors.ts'
import type { Step } from '../../platform/steps.ts'
import { isSpecial } from '../groups/groups.ts'
import type { replacementStatuses } from './api/groups/schemas.ts'
import { coveredGroups } from './packages.ts'

type Status = (typeof replacementStatuses)[number]

const meanings: Record<Status, { success: boolean; message: string }> = {
  Replaced: { success: true, message: 'The new package took the place of the old one.' },
  AlreadyAssigned: { success: true, message: 'The group had the new package before; the old one was taken from it.' },
  SpecialGroup: { success: false, message: 'The group is a Reinstall, EOL or Restore group.' },
  CoveredBySoftwareClass: {
    success: false,
    message: 'A software class that is assigned to the group or to one above it contains the new package.',
  },
  Failed: { success: false, message: 'The group could not be changed; the log of the service tells why.' },
}

export type Replacement = { oldId: string; newId: string; copiesOptions: boolean }

type Group = { id: string; path: string }

type Outcome = { status: Status; distributionOptionsCopied: boolean }

/** Ends the step of a group without a change; without a status, there is nothing left to replace in it. */
class LeftAsItWas extends Error {
  readonly status: Status | undefined

  constructor(status?: Status) {
    super(status)
    this.status = status
  }
}

/** The groups to which the package is assigned directly, in the order of the answer. */
export async function groupsToChange(db: Database, packageId: string): Promise<Group[]> {
  return db
    .selectFrom('groups')
    .innerJoin('group_packages', 'group_packages.group_id', 'groups.id')
    .select(['groups.id', 'groups.path'])
    .where('group_packages.package_id', '=', packageId)
    .orderBy('groups.id')
    .execute()
}

/** Tells what came of the replacement, unless the group or its assignment is gone meanwhile. */
export async function replaceInGroup(
  step: Step,
  { id, path }: Group,
  replacement: Replacement,
  report: (groupId: string, error: unknown) => void,
) {
  const result = ({ status, distributionOptionsCopied }: Outcome) => {
    const { success, message } = meanings[status]
    return { groupId: id, groupPath: path, success, status, distributionOptionsCopied, message }
  }
  try {
    const target = `/api/group/${id}/packages/${replacement.newId}`
    return result(await step(target, (db) => replaceIn(db, id, replacement)))
  } catch (error) {
    if (error instanceof LeftAsItWas)
      return error.status && result({ status: error.status, distributionOptionsCopied: false })
    // What concerns the database as a whole is not for one group to survive.
    if (!isStatementRefused(error)) throw error
    report(id, error)
    return result({ status: 'Failed', distributionOptionsCopied: false })
  }
}

async function replaceIn(db: Database, groupId: string, replacement: Replacement): Promise<Outcome> {
  const { kind, hasNew } = await lockGroupAndAssignments(db, groupId, replacement)
  if (isSpecial(kind)) throw new LeftAsItWas('SpecialGroup')
  const covered = hasNew ? undefined : await coveredGroups(db, [groupId], replacement.newId)
  if (covered?.has(groupId)) throw new LeftAsItWas('CoveredBySoftwareClass')
  await lockOptions(db, groupId, replacement)
  return exchange(db, groupId, replacement)
}

/**
 * Locks the group before the assignments, as its deletion does, and both packages' assignments in one order, so that of
 * two replacements in opposite directions one comes after the other.
 */
async function lockGroupAndAssignments(db: Database, groupId: string, { oldId, newId }: Replacement) {
  const { rows } = await sql<{ kind: string; package_id: string }>`
    select g.kind, assigned.package_id
    from groups g join group_packages assigned on assigned.group_id = g.id
    where g.id = ${groupId} and assigned.package_id in (${oldId}, ${newId})
    order by assigned.package_id
    for key share of g for update of assigned`.execute(db)
  const held = rows.find(({ package_id }) => package_id === oldId)
  if (!held) throw new LeftAsItWas()
  return { kind: held.kind, hasNew: rows.length > 1 }
}

/** So that a change of the options that is under way is copied too, and not lost. */
async function lockOptions(db: Database, groupId: string, { oldId }: Replacement): Promise<void> {
  await sql`
    select from distribution_options where group_id = ${groupId} and package_id = ${oldId} for update`.execute(db)
}

async function exchange(db: Database, groupId: string, { oldId, newId, copiesOptions }: Replacement): Promise<Outcome> {
  const options = sql`dist_commands, schedule, revoke_count, wol, revoke_date, optional_date`
  const { rows } = await sql<{ added: boolean; copied: boolean }>`
    with added as (
        insert into group_packages (group_id, package_id) values (${groupId}, ${newId})
        on conflict do nothing returning group_id
      ),
      copied as (
        insert into distribution_options (group_id, package_id, ${options})
        select group_id, ${newId}, ${options} from distribution_options join added using (group_id)
        where package_id = ${oldId} and ${copiesOptions} returning group_id
      ),
      removed as (delete from group_packages where group_id = ${groupId} and package_id = ${oldId})
    select exists (select from added) as added, exists (select from copied) as copied`.execute(db)
  const [{ added, copied } = { added: false, copied: false }] = rows
  return { status: added ? 'Replaced' : 'AlreadyAssigned', distributionOptionsCopied: copied }
}
