import type { RequestOptions } from '../../../actions/reviewed-action.ts'
import { answerOf, api } from '../../../api/client.ts'
import type { AssignmentOfGroup } from '../group-queries.ts'

/** What a group is given besides packages. */
export type AssignableType = Exclude<AssignmentOfGroup['type'], 'Package'>

export const assignableTypes = [
  'SoftwareClass',
  'VariableConfiguration',
  'AgentTemplate',
  'OsImageSku',
  'LanguagePackImport',
  'PxeBootImage',
] as const satisfies readonly AssignableType[]

/** Types of which a group has at most one. */
export const singleTypes: readonly AssignableType[] = ['AgentTemplate', 'OsImageSku', 'PxeBootImage']

export type AssignableObject = {
  /** As assignments name it. */
  id: string
  name: string
  /** Of an edition: what it is of, and the package that contains it. */
  edition?: { name: string; packageId: string }
}

// There are few of each: one page shows all of them.
const params = { query: { top: 1000 } }

const named = ({ id, name, version }: { id: string | number; name: string; version?: string | null }) => ({
  id: String(id),
  name: [name, version].filter(Boolean).join(' '),
})

export const assignableQuery = (type: AssignableType) => ({
  queryKey: ['packages', 'assignable', type],
  queryFn: () => listAssignable(type),
})

async function listAssignable(type: AssignableType): Promise<AssignableObject[]> {
  switch (type) {
    case 'SoftwareClass':
      return (await answerOf(api.GET('/api/softwareclasses', { params }))).items.map(named)
    case 'VariableConfiguration':
      return (await answerOf(api.GET('/api/variable-configurations', { params }))).items.map(named)
    case 'AgentTemplate':
      return (await answerOf(api.GET('/api/agent-templates', { params }))).items.map(named)
    case 'LanguagePackImport':
      return (await answerOf(api.GET('/api/language-pack-imports', { params }))).items.map(named)
    case 'PxeBootImage':
      return (await answerOf(api.GET('/api/pxe-bootimages', { params }))).items.map(named)
    case 'OsImageSku':
      return (await answerOf(api.GET('/api/operating-system-imports', { params }))).items.flatMap((system) =>
        system.skus.map(({ skuId, edition, packageId }) => ({
          id: String(skuId),
          name: edition,
          edition: { name: named(system).name, packageId },
        })),
      )
  }
}

/** Assigns it to the group, even if a group above has it as well: the group then keeps it when that one loses it. */
export function assignObject(
  groupId: string,
  type: AssignableType,
  { id, edition }: AssignableObject,
  { query, headers }: RequestOptions,
) {
  const request = { params: { path: { id: groupId }, query, header: headers } }
  const skipIfInherited = false
  switch (type) {
    case 'SoftwareClass':
      return api.POST('/api/group/{id}/software-classes', { ...request, body: { classId: Number(id) } })
    case 'VariableConfiguration':
      return api.POST('/api/group/{id}/variable-configurations', { ...request, body: { configId: Number(id) } })
    case 'AgentTemplate':
      return api.POST('/api/group/{id}/agent-template', { ...request, body: { packageId: id, skipIfInherited } })
    case 'LanguagePackImport':
      return api.POST('/api/group/{id}/language-pack-imports', { ...request, body: { packageId: id } })
    case 'PxeBootImage':
      return api.POST('/api/group/{id}/pxe-bootimage', { ...request, body: { pxeId: Number(id), skipIfInherited } })
    case 'OsImageSku':
      return api.POST('/api/group/{id}/os-image-sku', {
        ...request,
        body: { packageId: edition?.packageId ?? '', skuId: Number(id), skipIfInherited },
      })
  }
}
