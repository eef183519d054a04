import { randomBytes } from 'node:crypto'
import { ComputerPatchRequest, ComputerWriteRequest } from '../../src/features/computers/api/schemas.ts'
import { updateCustomField } from '../../src/features/custom-fields/api/update-custom-field.ts'
import { exampleOf } from '../../src/platform/openapi/example.ts'
import type { World } from '../world/open-world.ts'
import type { Scenario } from '../world/scenario.ts'

/** The example with a unique name and MAC address. */
function newComputer() {
  const example = exampleOf(ComputerWriteRequest) as object
  return { ...example, name: `pc-${randomBytes(6).toString('hex')}`, macAddress: randomBytes(6).toString('hex') }
}

const onComputer: Scenario = async ({ given }) => ({ params: { id: (await given.computer()).id } })

/** A computer in a group that a package is assigned to. */
async function onAssignedPackage({ given }: World) {
  const [computer, group, software] = [await given.computer(), await given.group(), await given.package()]
  await given.member(group, computer)
  await given.assignment(group, software, 'package')
  return { params: { id: computer.id }, packageId: software.id }
}

export const computersScenarios: Record<string, Scenario> = {
  createComputer: async () => ({ body: newComputer() }),
  getComputer: onComputer,
  updateComputer: async ({ as, given }) => {
    await as('computer.write').call(updateCustomField, { params: { slot: 'Custom01' }, body: { isActive: true } })
    return {
      params: { id: (await given.computer()).id },
      body: { ...(exampleOf(ComputerPatchRequest) as object), ...newComputer() },
    }
  },
  deleteComputer: onComputer,
  deleteComputers: async ({ given }) => ({ body: { computerIds: [(await given.computer()).id] } }),
  listComputerGroups: onComputer,
  activateComputer: async (world) => ({
    params: (await onAssignedPackage(world)).params,
    body: { software: true, pull: true },
  }),
  deactivateComputer: async (world) => ({ params: (await onAssignedPackage(world)).params }),
  uninstallSoftware: async (world) => {
    const { params, packageId } = await onAssignedPackage(world)
    await world.db
      .insertInto('deployments')
      .values({ computer_id: params.id, package_id: packageId, result: 'Success', installation_state: 'Installed' })
      .execute()
    return { params, body: { packageId } }
  },
  getComputerInventory: onComputer,
  listDisks: onComputer,
  listBatteries: onComputer,
  listNetworkAdapters: onComputer,
  listPrinters: onComputer,
  getBios: onComputer,
  getComputerSystem: onComputer,
  listVideoControllers: onComputer,
  listMonitors: onComputer,
  listProcessors: onComputer,
  listInstalledSoftware: onComputer,
  listServices: onComputer,
  getSystemInfo: onComputer,
  getSecurityPosture: onComputer,
}
