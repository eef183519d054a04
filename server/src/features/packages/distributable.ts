import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { noUninstallCommand, packageNotReleased } from './problems.ts'

/**
 * Whether an agent can uninstall the package, given by its alias: with its command, with msiexec, or with the package manager.
 * Nothing is known about a package without a manifest.
 */
export function isRemovable(packages: string): RawBuilder<boolean> {
  const manifest = sql.ref(`${packages}.manifest`)
  return sql<boolean>`coalesce(${manifest} -> 'commands' ? 'uninstall' or ${manifest} ?| array['msi', 'source'], true)`
}

export async function requireRemovable(db: Database, packageId: string): Promise<void> {
  const found = await db
    .selectFrom('packages')
    .select('id')
    .where('id', '=', packageId)
    .where(isRemovable('packages'))
    .executeTakeFirst()
  if (!found) throw noUninstallCommand({ packageId })
}

/** A condition: the package may be distributed. It is Ready to Install and its hash is current. Takes its alias. */
export function isDistributable(packages: string): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${packages}.${name}`)
  return sql<boolean>`(${column('is_operational')} and ${column('hash_state')} = 'Current')`
}

/** Throws 409 unless the package may be distributed. */
export async function requireDistributable(db: Database, packageId: string): Promise<void> {
  const found = await db
    .selectFrom('packages')
    .select('id')
    .where('id', '=', packageId)
    .where(isDistributable('packages'))
    .executeTakeFirst()
  if (!found) throw packageNotReleased({ packageId })
}
