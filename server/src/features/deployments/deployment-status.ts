import { sql } from 'kysely'

export const deploymentStatuses = ['Pending', 'Success', 'Failed'] as const

export type DeploymentStatus = (typeof deploymentStatuses)[number]

/**
 * The status by which a row `deployment` is counted. A package that is installed without an assignment has no result and
 * nothing is pending: it is a success.
 */
export const deploymentStatus = sql<DeploymentStatus>`case
  when deployment.result is null and deployment.pending_since is null and deployment.installation_state = 'Installed'
    then 'Success'
  else deployment.status end`
