import { randomBytes } from 'node:crypto'
import type { World } from '../world/open-world.ts'
import type { Scenario } from '../world/scenario.ts'

const rules = [{ name: 'Critical after 2 days', action: 'Approve', severities: ['Critical'], afterDays: 2 }]

/** A policy whose patch a computer of its group lacks. */
async function policyWithGroup({ given, db }: World) {
  const { id } = await db
    .insertInto('patch_policies')
    .values({ name: `Policy ${randomBytes(6).toString('hex')}`, rules: JSON.stringify(rules) })
    .returning('id')
    .executeTakeFirstOrThrow()
  const group = await given.group()
  await db.insertInto('patch_policy_assignments').values({ policy_id: id, group_id: group.id }).execute()
  const computer = await given.computer()
  await given.member(group, computer)
  return { id, group, computer }
}

const onPolicy: Scenario = async (world) => ({ params: { id: (await policyWithGroup(world)).id } })

export const patchPoliciesScenarios: Record<string, Scenario> = {
  createPatchPolicy: async () => ({ body: { name: `Policy ${randomBytes(6).toString('hex')}`, rules } }),
  rehearsePatchRules: async () => ({ body: { rules } }),
  getPatchPolicy: onPolicy,
  updatePatchPolicy: async (world) => ({
    params: { id: (await policyWithGroup(world)).id },
    body: { description: 'What workstations get', rules },
  }),
  deletePatchPolicy: onPolicy,
  listPatchPolicyAssignments: onPolicy,
  assignPatchPolicy: async (world) => ({
    params: { id: (await policyWithGroup(world)).id },
    body: { groupId: (await world.given.group()).id },
  }),
  removePatchPolicyAssignment: async (world) => {
    const { id, group } = await policyWithGroup(world)
    return { params: { id, groupId: group.id } }
  },
  listGroupPatchPolicies: async (world) => ({ params: { id: (await policyWithGroup(world)).group.id } }),
  listComputerPatchPolicies: async (world) => ({ params: { id: (await policyWithGroup(world)).computer.id } }),
  listComputerPatchRulings: async ({ given }) => {
    const computer = await given.computer()
    const product = await given.product()
    const patch = await given.patch({ products: [product] })
    await given.patchScan(computer, [{ key: patch.key, product: product.name, status: 'Missing' }])
    return { params: { id: computer.id } }
  },
}
