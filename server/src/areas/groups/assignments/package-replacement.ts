import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { type FailedItem, inParts } from '../../../database/in-parts.ts'
import { isSpecial } from '../../../domain/groups.ts'
import { coveredGroups } from './packages.ts'
import type { replacementStatuses } from './schemas.ts'

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

type Affected = { id: string; path: string; kind: string; has_new: boolean }

type Outcome = { status: Status; distributionOptionsCopied: boolean }

/** Replaces the package in every group that has it, and tells for each what came of it. */
export async function replaceInGroups(
  db: Database,
  replacement: Replacement,
  report: (failed: FailedItem<string>) => void,
) {
  const affected = await holdAffectedGroups(db, replacement)
  const outcomes = await refusals(db, affected, replacement)
  const accepted = affected.filter(({ id }) => !outcomes.has(id)).map(({ id }) => id)
  await holdOptions(db, accepted, replacement)
  const failed = await inParts(db, accepted, async (groupIds) => {
    for (const { id, ...outcome } of await exchange(db, groupIds, replacement)) outcomes.set(id, outcome)
  })
  for (const one of failed) {
    report(one)
    outcomes.set(one.item, refused('Failed'))
  }
  return affected.map(({ id, path }) => {
    const outcome = outcomes.get(id) ?? refused('Failed')
    return { groupId: id, groupPath: path, ...outcome, ...meanings[outcome.status] }
  })
}

const refused = (status: Status): Outcome => ({ status, distributionOptionsCopied: false })

/**
 * Locks groups in the order in which the deletion of a subtree does, and both packages' assignments in one order, so that
 * of two replacements in opposite directions one comes after the other.
 */
async function holdAffectedGroups(db: Database, { oldId, newId }: Replacement): Promise<Affected[]> {
  const { rows } = await sql<Omit<Affected, 'has_new'> & { is_old: boolean }>`
    select g.id, g.path, g.kind, assigned.package_id = ${oldId} as is_old
    from groups g join group_packages assigned on assigned.group_id = g.id
    where assigned.package_id in (${oldId}, ${newId})
      and g.id in (select group_id from group_packages where package_id = ${oldId})
    order by g.id, assigned.package_id
    for key share of g for update of assigned`.execute(db)
  const withNew = new Set(rows.filter(({ is_old }) => !is_old).map(({ id }) => id))
  return rows
    .filter(({ is_old }) => is_old)
    .map(({ is_old: _, ...group }) => ({ ...group, has_new: withNew.has(group.id) }))
}

/** The groups in which the new package could not be assigned either. */
async function refusals(
  db: Database,
  affected: readonly Affected[],
  { newId }: Replacement,
): Promise<Map<string, Outcome>> {
  const special = affected.filter(({ kind }) => isSpecial(kind)).map(({ id }) => id)
  const gaining = affected.filter(({ kind, has_new }) => !has_new && !isSpecial(kind)).map(({ id }) => id)
  const covered = await coveredGroups(db, gaining, newId)
  return new Map([
    ...special.map((id): [string, Outcome] => [id, refused('SpecialGroup')]),
    ...Array.from(covered, (id): [string, Outcome] => [id, refused('CoveredBySoftwareClass')]),
  ])
}

/** So that a change of the options that is under way is copied too, and not lost. */
async function holdOptions(db: Database, groupIds: readonly string[], { oldId }: Replacement): Promise<void> {
  await sql`
    select from distribution_options where group_id = any(${groupIds}::uuid[]) and package_id = ${oldId}
    order by group_id for update`.execute(db)
}

async function exchange(db: Database, groupIds: readonly string[], { oldId, newId, copiesOptions }: Replacement) {
  const options = sql`dist_commands, schedule, revoke_count, wol, revoke_date, optional_date`
  const { rows } = await sql<Outcome & { id: string }>`
    with added as (
        insert into group_packages (group_id, package_id)
        select unnest(${groupIds}::uuid[]), ${newId} on conflict do nothing returning group_id
      ),
      copied as (
        insert into distribution_options (group_id, package_id, ${options})
        select group_id, ${newId}, ${options} from distribution_options join added using (group_id)
        where package_id = ${oldId} and ${copiesOptions} returning group_id
      ),
      removed as (
        delete from group_packages where group_id = any(${groupIds}::uuid[]) and package_id = ${oldId}
      )
    select changed.id, case when added.group_id is null then 'AlreadyAssigned' else 'Replaced' end as status,
      copied.group_id is not null as "distributionOptionsCopied"
    from unnest(${groupIds}::uuid[]) as changed (id)
      left join added on added.group_id = changed.id
      left join copied on copied.group_id = changed.id`.execute(db)
  return rows
}
