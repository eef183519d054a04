import type { World } from '../world/open-world.ts'
import type { Scenario } from '../world/scenario.ts'
import { deploymentsIn } from './deployment-world.ts'

const onComputer: Scenario = async ({ given }) => ({ params: { id: (await given.computer()).id } })

/** A computer to which a package of the kind is assigned. */
async function computerWith({ db, given }: World, kind = 'Software') {
  const one = await given.package({ kind })
  const { computer, group } = await deploymentsIn(db, given).assigned(one)
  return { computer, group, one }
}

/** A package that is assigned to a selected computer and installed on it. */
async function onInstalled(world: World) {
  const { computer, one } = await computerWith(world)
  const installed = { computer_id: computer.id, package_id: one.id, result: 'Success', installation_state: 'Installed' }
  await world.db.insertInto('deployments').values(installed).execute()
  return { body: { computerIds: [computer.id], packageId: one.id } }
}

export const deploymentsScenarios: Record<string, Scenario> = {
  requestSoftwareReinstall: async (world) => {
    const { computer, one } = await computerWith(world)
    return { params: { id: computer.id }, body: { packageId: one.id } }
  },
  listSoftwareReinstalls: onComputer,
  cancelSoftwareReinstall: async (world) => {
    const { computer, group, one } = await computerWith(world)
    const { id } = await world.given.group({ parent: group, kind: 'Reinstall' })
    await world.given.member({ id }, computer)
    const pending = { group_id: id, computer_id: computer.id, package_id: one.id }
    await world.db.insertInto('reinstall_groups').values(pending).execute()
    return { params: { id: computer.id }, query: { reinstallGroupId: id } }
  },
  rescanComputer: async (world) => {
    const { computer } = await computerWith(world, 'PatchScan')
    return { params: { id: computer.id }, body: { scanType: 'Patch' } }
  },
  rebootComputer: async (world) => {
    const { computer } = await computerWith(world)
    return { params: { id: computer.id }, body: { timeoutMinutes: 30, reminderMinutes: 10 } }
  },
  retryPackage: async ({ given }) => ({ params: { id: (await given.package()).id }, body: {} }),
  activateComputers: async (world) => ({ body: { computerIds: [(await computerWith(world)).computer.id] } }),
  rescanComputers: async (world) => ({ body: { computerIds: [(await computerWith(world)).computer.id] } }),
  rebootComputers: async (world) => ({ body: { computerIds: [(await computerWith(world)).computer.id] } }),
  installOnComputers: async ({ given }) => {
    const ready = await given.package({ is_operational: true, hash_state: 'Current' })
    return { body: { computerIds: [(await given.computer()).id], packageId: ready.id } }
  },
  uninstallOnComputers: onInstalled,
  cancelUninstallOnComputers: onInstalled,
  listSoftwareDeployments: onComputer,
  listSetupErrorLog: onComputer,
  listDistributionHistory: onComputer,
  getUemAgent: onComputer,
  getComputerHealth: onComputer,
  getRebootStatus: onComputer,
  retryTask: async (world) => {
    const { computer, one } = await computerWith(world)
    const { task_id: trackingId } = await deploymentsIn(world.db, world.given).work(computer, one, { state: 'Failed' })
    return { params: { trackingId } }
  },
  getTask: async ({ db, given }) => ({ params: { trackingId: (await deploymentsIn(db, given).task()).id } }),
}
