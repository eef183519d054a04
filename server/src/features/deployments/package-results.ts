import { type RawBuilder, sql } from 'kysely'
import { settingsHash, templateSettings } from '../agents/settings.ts'
import { assigningGroup } from '../assignments/assigned-computers.ts'
import { distributionCommands } from '../distribution/commands.ts'
import { effectiveOptions } from '../distribution/effective-options.ts'

export type PackageResult = {
  computer_id: number
  status: 'Success' | 'Failed' | null
  installed_at: Date | null
  error_text: string | null
}

/**
 * What is known about a package on computers; a computer without a row, or without a status, has no result yet, or none that
 * is wanted: a package that was uninstalled and is assigned to be installed again is pending. Packages are deployed by work items. Agent templates are not: an agent follows a template if it reports the hash of its settings.
 */
export function packageResults(packageId: string, packageKind: string): RawBuilder<PackageResult> {
  if (packageKind === 'AgentTemplate')
    return sql<PackageResult>`
      select agents.computer_id, 'Success' as status, null::timestamptz as installed_at, null::text as error_text
      from packages template join agents on agents.settings_hash = ${settingsHash(templateSettings('template'))}
      where template.id = ${packageId}`
  const isToBeInstalled = sql<boolean>`exists (
    select from (${effectiveOptions(sql`
      select group_id, ${packageId}::uuid as package_id
      from (${assigningGroup(packageId, packageKind, sql`deployment.computer_id`)}) as assigning`)}) as options
    where options.dist_commands & ${distributionCommands.Uninstall}::integer = 0)`
  return sql<PackageResult>`
    select deployment.computer_id, deployment.installed_at, deployment.error_text,
      case when deployment.status = 'Success' and deployment.installation_state = 'Uninstalled' and ${isToBeInstalled}
        then null else deployment.status end as status
    from deployments deployment where deployment.package_id = ${packageId}`
}
