import { randomBytes } from 'node:crypto'
import { ComputerPatchRequest, ComputerWriteRequest } from '../../src/areas/computers/schemas.ts'
import { exampleOf } from '../../src/platform/openapi/example.ts'
import type { Scenario } from '../operations/scenarios.ts'

/** The example with a name and an address of its own. */
function newComputer() {
  const example = exampleOf(ComputerWriteRequest) as object
  return { ...example, name: `pc-${randomBytes(6).toString('hex')}`, macAddress: randomBytes(6).toString('hex') }
}

const onComputer: Scenario = async ({ given }) => ({ params: { id: (await given.computer()).id } })

export const computersScenarios: Record<string, Scenario> = {
  createComputer: async () => ({ body: newComputer() }),
  getComputer: onComputer,
  updateComputer: async ({ given, db }) => {
    await db.updateTable('custom_fields').set({ is_active: true }).where('slot', '=', 'Custom01').execute()
    return {
      params: { id: (await given.computer()).id },
      body: { ...(exampleOf(ComputerPatchRequest) as object), ...newComputer() },
    }
  },
  deleteComputer: onComputer,
  listComputerGroups: onComputer,
}
