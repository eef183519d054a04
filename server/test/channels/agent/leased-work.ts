import { cancelSoftwareReinstall } from '../../../src/features/deployments/api/requests/cancel-software-reinstall.ts'
import { listSoftwareReinstalls } from '../../../src/features/deployments/api/requests/list-software-reinstalls.ts'
import { requestSoftwareReinstall } from '../../../src/features/deployments/api/requests/request-software-reinstall.ts'
import { getGroup } from '../../../src/features/groups/api/get-group.ts'
import type { AgentWorld, PackageColumns } from './agent-world.ts'

type WorkColumns = Parameters<AgentWorld['work']>[2]

/** Agents that have leased one work item. */
export function leasedWorkIn({ agent, as, given, readyPackage, state, work }: AgentWorld) {
  return {
    async leasedWork(packageColumns: PackageColumns = {}, workColumns: WorkColumns = {}) {
      const computer = await agent()
      const software = await readyPackage(packageColumns)
      const workId = await work(computer, software, workColumns)
      await computer.contact()
      return { ...computer, computer, software, workId, deployment: () => state.deployment(computer, software) }
    },

    /** The reinstall of an assigned package, which `cancel` takes back. */
    async leasedReinstall(packageColumns: PackageColumns = {}) {
      const [computer, software, group] = [await agent(), await readyPackage(packageColumns), await given.group()]
      await given.member(group, computer)
      await given.assignment(group, software, 'package')
      const operator = as('reinstall.execute', 'computer.read', 'group.read')
      const params = { id: computer.id }
      const requested = await operator.call(requestSoftwareReinstall, { params, body: { packageId: software.id } })
      const { reinstallGroupId } = requested.body
      const [item] = (await computer.contact()).body.work
      return {
        ...computer,
        computer,
        workId: item?.workId ?? 0,
        deployment: () => state.deployment(computer, software),
        cancel: () => operator.call(cancelSoftwareReinstall, { params, query: { reinstallGroupId } }),
        pendingReinstalls: async () => (await operator.call(listSoftwareReinstalls, { params })).body.items,
        /** The status of reading the group of the reinstall. */
        groupStatus: async () => (await operator.call(getGroup, { params: { id: reinstallGroupId } })).status,
      }
    },
  }
}
