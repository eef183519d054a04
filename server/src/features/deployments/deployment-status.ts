import { type RawBuilder, sql } from 'kysely'
import { distributionCommands } from '../distribution/commands.ts'

export const deploymentStatuses = ['Pending', 'Success', 'Failed'] as const

export type DeploymentStatus = (typeof deploymentStatuses)[number]

/**
 * Whether a package was uninstalled and is assigned to be installed again: it is pending, whatever its result says. Takes the
 * aliases of `deployments` and of the effective options.
 */
export function isToReturn(deployment: string, options: string): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${deployment}.${name}`)
  return sql<boolean>`(${column('status')} = 'Success' and ${column('installation_state')} = 'Uninstalled'
    and ${sql.ref(`${options}.dist_commands`)} & ${distributionCommands.Uninstall}::integer = 0)`
}

/**
 * The status by which a row `deployment` is counted. A package that is installed without an assignment has no result and
 * nothing is pending: it is a success.
 */
export const deploymentStatus = sql<DeploymentStatus>`case
  when deployment.result is null and deployment.pending_since is null and deployment.installation_state = 'Installed'
    then 'Success'
  else deployment.status end`
