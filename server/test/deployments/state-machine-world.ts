import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { putInventory } from '../../src/channels/agent/inventory/put-inventory.ts'
import { reportContact } from '../../src/channels/agent/report-contact.ts'
import { reportResult } from '../../src/channels/agent/report-result.ts'
import { startWork } from '../../src/channels/agent/start-work.ts'
import { assignGroupPackage } from '../../src/features/assignments/api/groups/assign-group-package.ts'
import { assignGroupSoftwareClass } from '../../src/features/assignments/api/groups/assign-group-software-class.ts'
import { removeGroupPackage } from '../../src/features/assignments/api/groups/remove-group-package.ts'
import { removeGroupSoftwareClass } from '../../src/features/assignments/api/groups/remove-group-software-class.ts'
import { applyCatalog } from '../../src/features/catalog/api/apply-catalog.ts'
import { activateComputer } from '../../src/features/deployments/api/activation/activate-computer.ts'
import { deactivateComputer } from '../../src/features/deployments/api/activation/deactivate-computer.ts'
import { uninstallSoftware } from '../../src/features/deployments/api/activation/uninstall-software.ts'
import { activateGroup } from '../../src/features/deployments/api/group-activation/activate-group.ts'
import { deactivateGroup } from '../../src/features/deployments/api/group-activation/deactivate-group.ts'
import { listDistributionHistory } from '../../src/features/deployments/api/history/list-distribution-history.ts'
import { listSoftwareDeployments } from '../../src/features/deployments/api/history/list-software-deployments.ts'
import { getPackageStatus } from '../../src/features/deployments/api/package-status/get-package-status.ts'
import { cancelSoftwareReinstall } from '../../src/features/deployments/api/requests/cancel-software-reinstall.ts'
import { listSoftwareReinstalls } from '../../src/features/deployments/api/requests/list-software-reinstalls.ts'
import { requestSoftwareReinstall } from '../../src/features/deployments/api/requests/request-software-reinstall.ts'
import { listTasks } from '../../src/features/deployments/api/tasks/list-tasks.ts'
import { setDistributionOptions } from '../../src/features/distribution/api/set-distribution-options.ts'
import type { DistributionCommand } from '../../src/features/distribution/commands.ts'
import { explainComputer } from '../../src/features/explain/api/explain-computer.ts'
import { moveGroup } from '../../src/features/group-moves/api/move-group.ts'
import { addGroupComputers } from '../../src/features/groups/api/add-group-computers.ts'
import { deleteGroup } from '../../src/features/groups/api/delete-group.ts'
import { removeGroupComputers } from '../../src/features/groups/api/remove-group-computers.ts'
import { getComputerHealth } from '../../src/features/issues/api/get-computer-health.ts'
import { getComputerIssues } from '../../src/features/issues/api/get-computer-issues.ts'
import { setReadyToInstall } from '../../src/features/packages/api/set-ready-to-install.ts'
import { unjustifiedWork } from '../../src/features/work-states/justified-work.ts'
import { type AgentWorld, contact, result } from '../channels/agent/agent-world.ts'
import { exampleContent } from '../inventory/inventory-world.ts'
import { groups, packages, type System, systems, type Target } from './state-machine-groups.ts'
import type { DeploymentModel, Report } from './state-machine-model.ts'

/** The world of the model, behind the API. */
export async function openStateMachine(world: AgentWorld) {
  const { as, db, given, agent, readyPackage } = world
  const [operator, writer, reader] = [as('activation.execute'), as('group.write'), as('computer.read')]
  const suffix = randomBytes(6).toString('hex')
  const agents = [await agent(), await agent()]
  const runIds = agents.map(() => randomUUID() as string)
  const computerId = (computer: number) => agents[computer]?.id ?? 0
  const packageRows: { id: string }[] = []
  for (const { name, version, requires, systems: operating_systems } of packages) {
    const unique = `${name} ${suffix}`
    const required = requires === null ? [] : [`${requires} ${suffix}`]
    const columns = { name: unique, package_name: unique, version, operating_systems: [...operating_systems] }
    packageRows.push(await readyPackage({ ...columns, requires: required }))
  }
  const softwareClass = await given.softwareClass()
  const groupIds: string[] = []
  for (const [group, { parent, members }] of groups.entries()) groupIds.push(await newGroup(group, parent, members))

  async function newGroup(group: number, parent: number | null, members: readonly number[]): Promise<string> {
    const { tree } = groups[group] ?? groups[0]
    const above = parent === null ? await given.root(tree) : { id: groupIds[parent] ?? '', tree }
    // The paths of the groups have the order of the groups.
    const created = await given.group({ parent: above, name: `${group} ${randomBytes(6).toString('hex')}` })
    for (const member of members) await given.member(created, { id: computerId(member) })
    return created.id
  }

  const packageId = (one: number) => packageRows[one]?.id ?? ''
  const groupId = (group: number) => groupIds[group] ?? ''
  const packageOf = (id: string) => packageRows.findIndex((one) => one.id === id)
  const itself = (computer: number) => (agents[computer] ?? world.agentWith({ clientId: 0, credential: '' })).itself
  const runId = (computer: number) => runIds[computer] ?? ''

  // A computer that was never heard of has another health.
  for (const [computer, { itself: agentItself }] of agents.entries())
    await agentItself.call(reportContact, { body: { ...contact(), runId: runId(computer) } })

  const pendingReinstalls = async (computer: number) =>
    (await reader.call(listSoftwareReinstalls, { params: { id: computerId(computer) } })).body.items

  return {
    packageOf,

    async assign(group: number, one: number) {
      const body = { packageId: packageId(one) }
      const { status, problem } = await writer.call(assignGroupPackage, { params: { id: groupId(group) }, body })
      return problem ?? status
    },
    async assignClass(group: number) {
      const body = { classId: softwareClass.id }
      return (await writer.call(assignGroupSoftwareClass, { params: { id: groupId(group) }, body })).status
    },
    async unassignClass(group: number) {
      const params = { id: groupId(group), classId: softwareClass.id }
      const { status, problem } = await writer.call(removeGroupSoftwareClass, { params })
      return problem ?? status
    },
    async setClass(content: readonly number[]) {
      const softwareClasses = [{ name: softwareClass.name, packages: content.map(packageId) }]
      return (await as('package.write').call(applyCatalog, { body: { catalog: { softwareClasses } } })).status
    },
    async unassign(group: number, one: number) {
      const params = { id: groupId(group), packageId: packageId(one) }
      const { status, problem } = await writer.call(removeGroupPackage, { params })
      return problem ?? status
    },
    async setOptions(group: number, one: number | null, mode: string) {
      const query = one === null ? {} : { packageId: packageId(one) }
      const body = { commands: mode.split(', ') as DistributionCommand[] }
      const { status, problem } = await writer.call(setDistributionOptions, {
        params: { id: groupId(group) },
        query,
        body,
      })
      return problem ?? status
    },
    async activate(target: Target, global: boolean) {
      const body = { software: true, global }
      const answer =
        'computer' in target
          ? await operator.call(activateComputer, { params: { id: computerId(target.computer) }, body })
          : await operator.call(activateGroup, { params: { id: groupId(target.group) }, body })
      return answer.body.trackingId !== null
    },
    async deactivate(target: Target, global: boolean) {
      const query = { software: true, global }
      const answer =
        'computer' in target
          ? await operator.call(deactivateComputer, { params: { id: computerId(target.computer) }, query })
          : await operator.call(deactivateGroup, { params: { id: groupId(target.group) }, query })
      return answer.problem ?? answer.body.cancelledWork
    },
    async reportSystem(computer: number, system: System) {
      const item = exampleContent('system', { ...systems[system], osEdition: null, osVersion: null })
      const report = { hash: randomBytes(32).toString('hex'), collectedUtc: '2026-03-14T09:00:00Z', item }
      return (await itself(computer).call(putInventory, { body: { sections: { system: report } } })).status
    },
    async uninstall(computer: number, one: number) {
      const input = { params: { id: computerId(computer) }, body: { packageId: packageId(one) } }
      const answer = await operator.call(uninstallSoftware, input)
      return answer.problem ?? groupIds.indexOf(answer.body.groupId)
    },
    async reinstall(computer: number, one: number) {
      const input = { params: { id: computerId(computer) }, body: { packageId: packageId(one) } }
      const answer = await as('reinstall.execute').call(requestSoftwareReinstall, input)
      return answer.problem ?? groupIds.indexOf(answer.body.parentGroupId)
    },
    async cancelReinstall(computer: number, one: number) {
      const pending = (await pendingReinstalls(computer)).find(({ softwareId }) => softwareId === packageId(one))
      const query = { reinstallGroupId: pending?.reinstallGroupId ?? groupId(0) }
      const input = { params: { id: computerId(computer) }, query }
      const { status, problem } = await as('reinstall.execute').call(cancelSoftwareReinstall, input)
      return problem ?? status
    },
    async replaceGroup(group: number, { members, parents }: Pick<DeploymentModel, 'members' | 'parents'>) {
      const { status } = await writer.call(deleteGroup, { params: { id: groupId(group) }, query: { force: true } })
      groupIds[group] = await newGroup(group, parents[group] ?? null, [...(members[group] ?? [])])
      return status
    },
    async join(computer: number, group: number) {
      const body = { computerIds: [computerId(computer)] }
      return (await writer.call(addGroupComputers, { params: { id: groupId(group) }, body })).body.results[0]?.status
    },
    async leave(computer: number, group: number) {
      const query = { computerIds: [computerId(computer)] }
      return (await writer.call(removeGroupComputers, { params: { id: groupId(group) }, query })).body.results[0]
        ?.status
    },
    async move(parent: number | null) {
      const parentId = parent === null ? (await given.root('AssignmentGroups')).id : groupId(parent)
      return (await writer.call(moveGroup, { params: { id: groupIds.at(-1) ?? '' }, body: { parentId } })).status
    },
    async setReady(one: number, operational: boolean) {
      await as('package.write').call(setReadyToInstall, { params: { id: packageId(one) }, body: { operational } })
    },
    /** Leaves the package as an import of new content would. */
    async importContent(one: number) {
      await db
        .updateTable('packages')
        .set({ content_hash: randomBytes(32) })
        .where('id', '=', packageId(one))
        .execute()
    },
    async contact(computer: number, { isNewRun, hasNoLeasedWork }: { isNewRun: boolean; hasNoLeasedWork: boolean }) {
      if (isNewRun) runIds[computer] = randomUUID()
      const body = { ...contact(), runId: runId(computer), emptyHanded: hasNoLeasedWork }
      return (await itself(computer).call(reportContact, { body })).body.work
    },
    async start(computer: number, workId: number, attempt: number) {
      const input = { params: { workId }, body: { attempt, runId: runId(computer) } }
      const { status, problem } = await itself(computer).call(startWork, input)
      return problem ?? status
    },
    async report(computer: number, workId: number, attempt: number, report: Report) {
      const input = { params: { workId }, body: { ...result(), attempt, ...report } }
      return (await itself(computer).call(reportResult, input)).body
    },
    async expireLeases(computer: number) {
      await sql`
        update work set leased_until = now() - interval '1 second'
        where computer_id = ${computerId(computer)} and state = 'Leased'`.execute(db)
    },
    async endRetryDelays(computer: number) {
      await sql`
        update work set not_before = now() - interval '1 second'
        where computer_id = ${computerId(computer)} and state in ('Due', 'Leased')`.execute(db)
    },

    async deployments(computer: number) {
      const { body } = await reader.call(listSoftwareDeployments, { params: { id: computerId(computer) } })
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
    /** How the service explains a package on a computer. */
    async explain(computer: number, one: number) {
      const query = { packageId: packageId(one) }
      const { verdict, work } = (await reader.call(explainComputer, { params: { id: computerId(computer) }, query }))
        .body
      return { verdict, kind: work?.kind ?? null }
    },
    /** Which packages are an issue of the computer, and its health. There is nothing else that could be an issue. */
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
    /** Oldest first. */
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
    /** The newest events, and how many there are in all. */
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

export type StateMachine = Awaited<ReturnType<typeof openStateMachine>>
