import { sql } from 'kysely'
import { listDistributionHistory } from '../../../src/features/deployments/api/history/list-distribution-history.ts'
import { listSoftwareDeployments } from '../../../src/features/deployments/api/history/list-software-deployments.ts'
import { getPackageStatus } from '../../../src/features/deployments/api/package-status/get-package-status.ts'
import { listTasks } from '../../../src/features/deployments/api/tasks/list-tasks.ts'
import { explainComputer } from '../../../src/features/explain/api/explain-computer.ts'
import { getGroupPage } from '../../../src/features/fleet/api/get-group-page.ts'
import { getComputerHealth } from '../../../src/features/issues/api/get-computer-health.ts'
import { getComputerIssues } from '../../../src/features/issues/api/get-computer-issues.ts'
import { getOsDeploymentReadiness } from '../../../src/features/os-deployment/api/get-os-deployment-readiness.ts'
import { getOsInstallation } from '../../../src/features/os-deployment/api/get-os-installation.ts'
import { unjustifiedWork } from '../../../src/features/work-states/justified-work.ts'
import type { Objects } from './objects.ts'

/** What the service answers about the objects. */
export function readingsOf(objects: Objects) {
  const { world, suffix, agents, groupIds, computerId, packageId, packageOf, pendingReinstalls } = objects
  const { as, db } = world
  const reader = as('computer.read')

  return {
    async installationState(computer: number) {
      const { isPending, bootRequests } = (
        await reader.call(getOsInstallation, { params: { id: computerId(computer) } })
      ).body
      return { isPending, reports: bootRequests.map(({ status }) => status) }
    },
    async readiness(computer: number) {
      const params = { id: computerId(computer) }
      return (await reader.call(getOsDeploymentReadiness, { params })).body.missing
    },
    /** The results that the page of a group shows, by package. */
    async groupPage(group: number) {
      const params = { id: groupIds[group] ?? '' }
      const { assignments } = (await as('group.read', 'package.read').call(getGroupPage, { params })).body
      const shown = assignments.flatMap(({ type, objectId, status }) =>
        type === 'Package' ? [[packageOf(objectId), status] as const] : [],
      )
      return Object.fromEntries(shown)
    },
    async deployments(computer: number) {
      const query = { includePreOsPackages: true }
      const { body } = await reader.call(listSoftwareDeployments, { params: { id: computerId(computer) }, query })
      return body.map(({ softwareId, status, installationState, desiredMode, currentMode, notApplicable }) => ({
        package: packageOf(softwareId),
        status,
        installationState,
        desiredMode,
        currentMode,
        isApplicable: notApplicable === null,
      }))
    },
    async reinstalls(computer: number) {
      const items = await pendingReinstalls(computer)
      return items.map((one) => ({
        package: packageOf(one.softwareId),
        group: groupIds.indexOf(one.parentGroupId),
      }))
    },
    async explain(computer: number, one: number) {
      const query = { packageId: packageId(one) }
      const { verdict, work } = (await reader.call(explainComputer, { params: { id: computerId(computer) }, query }))
        .body
      return { verdict, kind: work?.kind ?? null }
    },
    async issues(computer: number) {
      const params = { id: computerId(computer) }
      const { failedPackages } = (await reader.call(getComputerIssues, { params })).body
      const { healthStatus } = (await reader.call(getComputerHealth, { params })).body
      const failed = (failedPackages ?? []).map(({ softwareId }) => packageOf(softwareId))
      return { failed: failed.toSorted(), health: healthStatus }
    },
    async unjustified() {
      const ids = sql<{ computer_id: number }>`
        select unnest(${agents.map(({ id }) => id)}::integer[]) as computer_id`
      return (await unjustifiedWork({ computers: ids }).execute(db)).rows
    },
    async tasks(computer: number) {
      const query = { clientId: computerId(computer), top: 1000 }
      const { items } = (await reader.call(listTasks, { query })).body
      return items.map(({ type, status }) => `${type} ${status}`).reverse()
    },
    async counts(one: number) {
      const { total, pending, success, failed, notApplicable } = (
        await as('package.read').call(getPackageStatus, { params: { id: packageId(one) } })
      ).body
      return { total, pending, success, failed, notApplicable }
    },
    async history(computer: number, newest: number) {
      const input = { params: { id: computerId(computer) }, query: { top: Math.max(1, newest) } }
      const { items, totalCount } = (await reader.call(listDistributionHistory, input)).body
      const events = items.slice(0, newest).map((one) => {
        const name = one.packageName?.replace(` ${suffix}`, '')
        return `${name} ${one.version}: ${one.result} ${one.classification} ${one.installMode}`
      })
      return { newest: events.toSorted(), totalCount }
    },
  }
}
