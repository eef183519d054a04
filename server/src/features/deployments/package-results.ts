import { type RawBuilder, sql } from 'kysely'
import { settingsHash, templateSettings } from '../agents/settings.ts'

export type PackageResult = {
  computer_id: number
  status: 'Success' | 'Failed' | null
  installed_at: Date | null
  error_text: string | null
}

/**
 * What is known about a package on computers; a computer without a row, or without a status, has no result yet. Packages
 * are deployed by work items. Agent templates are not: an agent follows a template if it reports the hash of its settings.
 */
export function packageResults(packageId: string, packageKind: string): RawBuilder<PackageResult> {
  if (packageKind === 'AgentTemplate')
    return sql<PackageResult>`
      select agents.computer_id, 'Success' as status, null::timestamptz as installed_at, null::text as error_text
      from packages template join agents on agents.settings_hash = ${settingsHash(templateSettings('template'))}
      where template.id = ${packageId}`
  return sql<PackageResult>`
    select computer_id, status, installed_at, error_text from deployments where package_id = ${packageId}`
}
