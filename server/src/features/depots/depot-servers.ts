import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { problem } from '../../platform/problem.ts'
import { computerNotFound } from '../computers/computers.ts'

export const notADepot = problem('NotADepot', 404, 'The computer is neither a depot server nor the master server.')

export type DepotRole = 'DepotServer' | 'MasterServer'

/** Computers that hold packages for others, as the API shows them. */
export function depotServerRows(db: Database) {
  return db
    .selectFrom('computers')
    .where(servesPackages)
    .select([
      'computers.id as clientId',
      'computers.name as hostname',
      'computers.domain',
      sql<DepotRole>`computers.role`.as('role'),
    ])
}

export const servesPackages: RawBuilder<boolean> = sql`computers.role in ('DepotServer', 'MasterServer')`

/** A condition on `depots`: it was heard of not long ago. */
export const depotIsOnline: RawBuilder<boolean> = sql`depots.heartbeat_at > now() - interval '5 minutes'`

/** Fails with 404 unless the computer is a depot. */
export async function requireDepot(db: Database, clientId: number): Promise<void> {
  requireRole(clientId, await roleOf(db, clientId).executeTakeFirst())
}

/** The same for changes, with the role: until the transaction ends the computer keeps it. */
export async function pinDepotRole(db: Database, clientId: number): Promise<DepotRole> {
  return requireRole(clientId, await roleOf(db, clientId).forShare().executeTakeFirst())
}

function roleOf(db: Database, clientId: number) {
  return db.selectFrom('computers').select('role').where('id', '=', clientId)
}

function requireRole(clientId: number, computer: { role: string } | undefined): DepotRole {
  if (!computer) throw computerNotFound({ clientId })
  if (computer.role === 'Client') throw notADepot({ clientId })
  return computer.role as DepotRole
}
