import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { packagesOfKind } from './package-rows.ts'
import { agentTemplateNotFound } from './problems.ts'

/** Agent templates with their settings, as the API shows them. */
export function agentTemplateRows(db: Database) {
  return packagesOfKind(db, 'AgentTemplate').select(
    sql<Record<string, string | number | boolean>>`coalesce(packages.manifest -> 'settings', '{}')`.as('settings'),
  )
}

export async function getAgentTemplateById(db: Database, id: string) {
  const found = await agentTemplateRows(db).where('packages.id', '=', id).executeTakeFirst()
  if (!found) throw agentTemplateNotFound({ packageId: id })
  return found
}
