import { assignmentScenarios } from '../assignments/scenarios.ts'
import type { Scenario } from '../world/scenario.ts'

const onGroup: Scenario = async ({ given }) => ({ params: { id: (await given.group()).id } })

/** A group with a computer as a member and a package assigned. */
const onMember: Scenario = async ({ given }) => {
  const group = await given.group()
  await given.member(group, await given.computer())
  await given.assignment(group, await given.package(), 'package')
  return { params: { id: group.id } }
}

export const groupsScenarios: Record<string, Scenario> = {
  createGroup: async ({ given }) => ({
    body: {
      name: 'Workstations',
      type: 'ConfigurationGroups',
      parentId: (await given.group()).id,
      description: 'Desks on the second floor',
    },
  }),
  getGroup: onGroup,
  updateGroup: async ({ given }) => ({
    params: { id: (await given.group({ parent: await given.group() })).id },
    body: { name: 'Tills', description: 'At the exit' },
  }),
  deleteGroup: onGroup,
  getGroupKind: onGroup,
  setGroupKind: async (world) => ({ ...(await onGroup(world)), body: { kind: 'EOL' } }),
  getGroupRule: onGroup,
  setGroupRule: async (world) => ({ ...(await onGroup(world)), body: { criteria: { names: ['till-*'] } } }),
  removeGroupRule: onGroup,
  getGroupConvergence: onGroup,
  setGroupConvergence: async (world) => ({ ...(await onGroup(world)), body: { state: 'On' } }),
  removeGroupConvergence: onGroup,
  listGroupComputers: onGroup,
  addSelectionToGroup: async ({ given }) => ({
    params: { id: (await given.group()).id },
    body: { computerIds: [(await given.computer()).id] },
  }),
  addGroupComputers: async ({ given }) => ({
    params: { id: (await given.group()).id },
    body: { computerIds: [(await given.computer()).id] },
  }),
  removeGroupComputers: async ({ given }) => {
    const [group, computer] = [await given.group(), await given.computer()]
    await given.member(group, computer)
    return { params: { id: group.id }, query: { computerIds: [computer.id] } }
  },
  listGroupVariableConfigurations: onGroup,
  assignGroupVariableConfiguration: async ({ given }) => ({
    params: { id: (await given.group()).id },
    body: { configId: (await given.variableConfiguration()).id },
  }),
  removeGroupVariableConfiguration: async ({ given }) => {
    const [group, configuration] = [await given.group(), await given.variableConfiguration()]
    await given.assignment(group, configuration)
    return { params: { id: group.id, configId: configuration.id } }
  },
  activateGroup: async (world) => ({ ...(await onMember(world)), body: { software: true, pull: true } }),
  deactivateGroup: onMember,
  ...assignmentScenarios,
}
