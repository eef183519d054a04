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

/** A patch that a rule of the policy approves, and that a computer of its group lacks. */
const onPatchOfPolicy =
  ({ isPaused = false, rollsBack = false } = {}): Scenario =>
  async (world) => {
    const { given, db } = world
    const { id, computer } = await policyWithGroup(world)
    const product = await given.product()
    const patch = await given.patch({ products: [product] })
    await given.patchScan(computer, [
      { key: patch.key, product: product.name, status: rollsBack ? 'Installed' : 'Missing' },
    ])
    const link = { policy_id: id, patch_id: patch.id, product_id: product.id }
    await db
      .insertInto('patch_policy_rulings')
      .values({
        ...link,
        valid_from: new Date(0),
        valid_until: new Date('2200-01-01'),
        rule_number: 1,
        action: 'Approve',
        approved_from: new Date(1),
      })
      .execute()
    const pause = JSON.stringify({ code: 'ByPrincipal', by: 'client-1', reason: 'The vendor reports a problem' })
    await db
      .insertInto('patch_ring_progress')
      .values({
        ...link,
        ...(isPaused && { paused_at: new Date(), pause }),
        ...(rollsBack && { stopped_at: new Date(), stopped_by: 'client-1', rolls_back: true }),
      })
      .execute()
    return { params: { id, patchId: patch.id } }
  }

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
  listPatchPolicyProgress: async (world) => {
    const { params } = await onPatchOfPolicy({ isPaused: true })(world)
    return { params: { id: params?.id } }
  },
  pausePatchOfPolicy: onPatchOfPolicy(),
  resumePatchOfPolicy: onPatchOfPolicy({ isPaused: true }),
  stopPatchOfPolicy: onPatchOfPolicy(),
  listPatchRollbacks: onPatchOfPolicy({ rollsBack: true }),
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
