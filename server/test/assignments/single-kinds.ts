import { assignGroupAgentTemplate } from '../../src/features/assignments/api/groups/assign-group-agent-template.ts'
import { assignGroupOsImageSku } from '../../src/features/assignments/api/groups/assign-group-os-image-sku.ts'
import { assignGroupPxeBootImage } from '../../src/features/assignments/api/groups/assign-group-pxe-boot-image.ts'
import { getGroupAgentTemplate } from '../../src/features/assignments/api/groups/get-group-agent-template.ts'
import { getGroupOsImageSku } from '../../src/features/assignments/api/groups/get-group-os-image-sku.ts'
import { getGroupPxeBootImage } from '../../src/features/assignments/api/groups/get-group-pxe-boot-image.ts'
import { removeGroupAgentTemplate } from '../../src/features/assignments/api/groups/remove-group-agent-template.ts'
import { removeGroupOsImageSku } from '../../src/features/assignments/api/groups/remove-group-os-image-sku.ts'
import { removeGroupPxeBootImage } from '../../src/features/assignments/api/groups/remove-group-pxe-boot-image.ts'
import type { World } from '../world/open-world.ts'

export const unknownId = '00000000-0000-4000-8000-000000000000'

type Answer = Promise<{ status: number; problem: string | undefined; raw: unknown; headers: Record<string, string> }>
type Ids = Record<string, number | string>

/** A kind of which a group has at most one object, and how to call its operations. */
export type SingleKind = {
  name: string
  make(): Promise<Ids>
  get(groupId: string): Answer
  assign(groupId: string, ids: Ids, skipIfInherited?: boolean): Answer
  remove(groupId: string, ids: Ids, headers?: Record<string, string>): Answer
  shown(ids: Ids): object
  unknown: Ids
  problems: { unknown: string; none: string; other: string }
}

export function singleKinds({ as, given }: World): SingleKind[] {
  const [writer, reader] = [as('group.write'), as('group.read')]
  return [
    {
      name: 'PXE boot image',
      make: async () => ({ pxeId: (await given.pxeBootImage()).id }),
      get: (id) => reader.call(getGroupPxeBootImage, { params: { id } }),
      assign: (id, ids, skipIfInherited) =>
        writer.call(assignGroupPxeBootImage, {
          params: { id },
          body: { ...ids, ...(skipIfInherited && { skipIfInherited }) } as never,
        }),
      remove: (id, { pxeId }, headers = {}) =>
        writer.call(removeGroupPxeBootImage, { params: { id, pxeId: Number(pxeId) }, headers }),
      shown: ({ pxeId }) => ({ id: pxeId }),
      unknown: { pxeId: 2_000_000_000 },
      problems: { unknown: 'PxeBootImageNotFound', none: 'NoPxeBootImageAssigned', other: 'PxeBootImageNotAssigned' },
    },
    {
      name: 'OS image SKU',
      make: async () => {
        const { id, skus } = await given.osImage({ editions: ['Home', 'Professional'] })
        return { packageId: id, skuId: skus[1]?.id ?? 0 }
      },
      get: (id) => reader.call(getGroupOsImageSku, { params: { id } }),
      assign: (id, ids, skipIfInherited) =>
        writer.call(assignGroupOsImageSku, {
          params: { id },
          body: { ...ids, ...(skipIfInherited && { skipIfInherited }) } as never,
        }),
      remove: (id, { skuId }, headers = {}) =>
        writer.call(removeGroupOsImageSku, { params: { id, skuId: Number(skuId) }, headers }),
      shown: ({ packageId, skuId }) => ({ packageId, skuId, skuIndex: 2, edition: 'Professional' }),
      unknown: { packageId: unknownId, skuId: 2_000_000_000 },
      problems: { unknown: 'PackageNotFound', none: 'NoOsImageSkuAssigned', other: 'OsImageSkuNotAssigned' },
    },
    {
      name: 'agent template',
      make: async () => ({ packageId: (await given.agentTemplate({ settings: { interval: 60 } })).id }),
      get: (id) => reader.call(getGroupAgentTemplate, { params: { id } }),
      assign: (id, ids, skipIfInherited) =>
        writer.call(assignGroupAgentTemplate, {
          params: { id },
          body: { ...ids, ...(skipIfInherited && { skipIfInherited }) } as never,
        }),
      remove: (id, { packageId }, headers = {}) =>
        writer.call(removeGroupAgentTemplate, { params: { id, packageId: String(packageId) }, headers }),
      shown: ({ packageId }) => ({ id: packageId, settings: { interval: 60 } }),
      unknown: { packageId: unknownId },
      problems: { unknown: 'PackageNotFound', none: 'NoAgentTemplateAssigned', other: 'AgentTemplateNotAssigned' },
    },
  ]
}
