import { type ConnectedDatabase, connect } from '../connect.ts'
import { currentRole, grantRuntimeRights, requireSeparateRole } from '../runtime-role.ts'
import { type MigrateOptions, migrate } from './migrate.ts'

/**
 * Applies the pending migrations. With a separate owner of the tables, migrates as that owner and grants the role of the
 * service its rights in the same transaction.
 */
export async function migrateAsOwner(
  database: Pick<ConnectedDatabase, 'pool'>,
  ownerUrl: string | undefined,
  options: MigrateOptions = {},
): Promise<string[]> {
  if (!ownerUrl) return migrate(database.pool, options)
  const role = await currentRole(database.pool)
  const owner = connect({ connectionString: ownerUrl }, { size: 1 })
  try {
    await requireSeparateRole(owner.pool, role)
    return await migrate(owner.pool, { ...options, finish: (client) => grantRuntimeRights(client, role) })
  } finally {
    await owner.close()
  }
}
