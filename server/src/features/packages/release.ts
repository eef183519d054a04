import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { Principal } from '../../platform/authentication/principals.ts'
import { problem } from '../../platform/problem.ts'

export const fourEyesRequired = problem(
  'FourEyesRequired',
  409,
  'The principal who imported this content cannot release it, because MUSTER_FOUR_EYES is on. Another one must do it.',
)

export const importerUnknown = problem(
  'ImporterUnknown',
  409,
  'Nobody can release this package while MUSTER_FOUR_EYES is on, because it is not recorded who imported it. Import it again.',
)

/**
 * Throws unless somebody else has last changed the content of the package. A package that does not exist passes. The
 * importer may have been deleted since; a principal with its name then counts as the same.
 */
export async function requireOtherImporter(db: Database, packageId: string, { id, name }: Principal): Promise<void> {
  const { rows } = await sql<{ importer_id: number | null; is_same: boolean }>`
    select importer_id, importer_id = ${id} or (lower(importer_name) = lower(${name})
      and not exists (select from principals where principals.id = importer_id)) as is_same
    from packages where packages.id = ${packageId} for update`.execute(db)
  const [found] = rows
  if (!found) return
  if (found.importer_id === null) throw importerUnknown({ packageId })
  if (found.is_same) throw fourEyesRequired({ packageId })
}

/** Calls the agents of the computers whose work has waited for the package, such as for its release. */
export async function callWaitingAgents(db: Database, packageId: string): Promise<void> {
  await sql`
    select call_agents(array(select computer_id from work where package_id = ${packageId} and state = 'Due'))`.execute(
    db,
  )
}
