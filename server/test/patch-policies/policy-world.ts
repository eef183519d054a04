import { randomBytes } from 'node:crypto'
import { assignPatchPolicy } from '../../src/features/patch-policies/api/assign-patch-policy.ts'
import { createPatchPolicy } from '../../src/features/patch-policies/api/create-patch-policy.ts'
import { listComputerPatchRulings } from '../../src/features/patch-policies/api/list-computer-patch-rulings.ts'
import type { RequestedRestart } from '../../src/features/patch-policies/api/restart-schemas.ts'
import type { GivenPatchRing } from '../../src/features/patches/policies/patch-rings.ts'
import type { PatchRule } from '../../src/features/patches/policies/patch-rules.ts'
import type { Static } from '../../src/platform/schema.ts'
import { openPatchWorld } from '../patch-management/patch-world.ts'
import type { Json } from '../world/caller.ts'

/** The day that many days ago, as documents state it. */
export const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

/** Critical patches, two days after their release. */
export const criticalAfter2Days: PatchRule = {
  name: 'Critical after 2 days',
  action: 'Approve',
  severities: ['Critical'],
  afterDays: 2,
}

/** The service, with helpers for patch policies. */
export async function openPolicyWorld() {
  const world = await openPatchWorld()
  const { as } = world

  return {
    ...world,

    /** A policy with these rules, assigned to the groups. */
    async policy(
      rules: readonly ({ action: PatchRule['action'] } & Partial<PatchRule>)[],
      groups: readonly { id: string }[] = [],
      properties: {
        name?: string
        priority?: number
        rings?: GivenPatchRing[]
        restart?: Json<Static<typeof RequestedRestart>>
      } = {},
    ) {
      const { body } = await as('pm.approve', 'pm.read', 'reboot.execute').call(createPatchPolicy, {
        body: {
          name: `policy ${randomBytes(6).toString('hex')}`,
          ...properties,
          rules: rules.map((rule, at) => ({ name: `rule ${at + 1}`, ...rule })),
        },
      })
      for (const { id } of groups)
        await as('pm.approve', 'reboot.execute').call(assignPatchPolicy, {
          params: { id: body.id },
          body: { groupId: id },
        })
      return body
    },

    /** A patch with the severity Critical, released that many days ago. */
    critical: (days: number) => world.scannablePatch({ vendor_severity: 'Critical', release_date: daysAgo(days) }),

    /** What decides about the missing patches of a computer, by patch. */
    async rulings({ id }: { id: number }) {
      const { body } = await as('computer.read').call(listComputerPatchRulings, { params: { id } })
      return new Map(body.items.map((ruling) => [ruling.patchId, ruling]))
    },
  }
}
