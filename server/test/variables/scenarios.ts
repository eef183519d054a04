import { createComputerCollectionEntry } from '../../src/features/variables/api/computers/create-computer-collection-entry.ts'
import {
  SetGroupVariableValueRequest,
  SetVariableValueRequest,
  VariableCollectionEntryRequest,
  VariableValueSearchFilter,
} from '../../src/features/variables/api/definitions/schemas.ts'
import { createGroupCollectionEntry } from '../../src/features/variables/api/groups/create-group-collection-entry.ts'
import { exampleOf } from '../../src/platform/openapi/example.ts'
import type { Static, TSchema } from '../../src/platform/schema.ts'
import type { World } from '../world/open-world.ts'
import type { Scenario } from '../world/scenario.ts'

const filter = exampleOf(VariableValueSearchFilter)
const values = exampleOf(VariableCollectionEntryRequest) as Static<typeof VariableCollectionEntryRequest>

async function collection({ given }: World) {
  const parent = await given.variable({ kind: 'Collection' })
  for (const designation of Object.keys(values.values)) await given.variable({ parent, designation })
  return parent
}

const onComputer =
  (body?: unknown): Scenario =>
  async ({ given }) => ({ params: { id: (await given.computer()).id }, ...(body !== undefined && { body }) })

const onGroup =
  (body?: unknown): Scenario =>
  async ({ given }) => ({ params: { id: (await given.group()).id }, ...(body !== undefined && { body }) })

/** Adds a variable to the path. */
const andVariable =
  (scenario: Scenario): Scenario =>
  async (world) => {
    const input = await scenario(world)
    return { ...input, params: { ...input.params, varId: (await world.given.variable()).id } }
  }

const andCollection =
  (scenario: Scenario): Scenario =>
  async (world) => {
    const input = await scenario(world)
    return { ...input, params: { ...input.params, varId: (await collection(world)).id } }
  }

const onComputerEntry =
  (body?: unknown): Scenario =>
  async (world) => {
    const { params } = await andCollection(onComputer())(world)
    const entry = await world.as('computer.write').call(createComputerCollectionEntry, { params, body: values })
    return {
      params: { ...params, collectionId: entry.body.collectionId },
      ...(body !== undefined && { body }),
    }
  }

const onGroupEntry =
  (body?: unknown): Scenario =>
  async (world) => {
    const { params } = await andCollection(onGroup())(world)
    const entry = await world.as('group.write').call(createGroupCollectionEntry, { params, body: values })
    return {
      params: { ...params, collectionId: entry.body.collectionId },
      ...(body !== undefined && { body }),
    }
  }

const example = (schema: TSchema) => exampleOf(schema)
const onDefinition: Scenario = async ({ given }) => ({ params: { varId: (await given.variable()).id } })
const onConfiguration: Scenario = async ({ given }) => ({ params: { id: (await given.variableConfiguration()).id } })

export const variablesScenarios: Record<string, Scenario> = {
  listComputerVariables: onComputer(),
  searchComputerVariables: onComputer(filter),
  getComputerVariable: andVariable(onComputer()),
  setComputerVariable: andVariable(onComputer(example(SetVariableValueRequest))),
  listComputerCollection: andCollection(onComputer()),
  createComputerCollectionEntry: andCollection(onComputer(values)),
  updateComputerCollectionEntry: onComputerEntry(values),
  deleteComputerCollectionEntry: onComputerEntry(),
  listGroupVariables: onGroup(),
  searchGroupVariables: onGroup(filter),
  getGroupVariable: andVariable(onGroup()),
  setGroupVariable: andVariable(onGroup(example(SetGroupVariableValueRequest))),
  listGroupCollection: andCollection(onGroup()),
  createGroupCollectionEntry: andCollection(onGroup(values)),
  updateGroupCollectionEntry: onGroupEntry(values),
  deleteGroupCollectionEntry: onGroupEntry(),
  getVariableDefinition: onDefinition,
  listVariableDefinitionChildren: onDefinition,
  listVariableDefinitionComputers: onDefinition,
  listVariableDefinitionGroups: onDefinition,
  listVariableDefinitionConfigurations: onDefinition,
  listVariableDefinitionPackages: onDefinition,
  getVariableConfiguration: onConfiguration,
  listVariableConfigurationGroups: onConfiguration,
}
