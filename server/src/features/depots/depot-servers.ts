import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { problem } from '../../platform/problem.ts'
import { computerNotFound } from '../computers/computers.ts'

export const notADepot = problem('NotADepot', 404, 'The computer is neither a depot server nor the master server.')

export type DepotRole = 'DepotServer' | 'MasterServer'

/** The depot servers and the master server, with the columns of the API. */
export function depotServerRows(db: Database) {
  return db
    .selectFrom('computers')
    .where(isDepot())
    .select([
      'computers.id as clientId',
      'computers.name as hostname',
      'computers.domain',
      sql<DepotRole>`computers.role`.as('role'),
    ])
}

/** A condition: the computer is a depot server or the master server. Takes the alias of `computers`. */
export function isDepot(computers = 'computers'): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(`${computers}.role`)} in ('DepotServer', 'MasterServer')`
}

/** A condition: the depot has sent a heartbeat within five minutes. Takes the alias of `depots`. */
export function isDepotOnline(depots = 'depots'): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(`${depots}.heartbeat_at`)} > now() - interval '5 minutes'`
}

/** Throws unless the computer exists and is a depot server or the master server. */
export async function requireDepot(db: Database, clientId: number): Promise<void> {
  requireRole(clientId, await selectRole(db, clientId).executeTakeFirst())
}

/** Like `requireDepot`, and keeps the role of the computer unchanged until the transaction ends. Returns the role. */
export async function pinDepotRole(db: Database, clientId: number): Promise<DepotRole> {
  return requireRole(clientId, await selectRole(db, clientId).forShare().executeTakeFirst())
}

function selectRole(db: Database, clientId: number) {
  return db.selectFrom('computers').select('role').where('id', '=', clientId)
}

function requireRole(clientId: number, computer: { role: string } | undefined): DepotRole {
  if (!computer) throw computerNotFound({ clientId })
  if (computer.role === 'Client') throw notADepot({ clientId })
  return computer.role as DepotRole
}
