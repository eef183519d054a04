import { ReviewPanel } from '../../../actions/review-panel.tsx'
import type { RequestOptions } from '../../../actions/reviewed-action.ts'
import type { PanelProps } from '../../../actions/use-panels.ts'
import { api } from '../../../api/client.ts'
import { useTexts } from '../../../texts/texts.tsx'
import { type AssignmentOfGroup, type GroupPageData, groupKey } from '../group-queries.ts'

type RemoveAssignmentProps = PanelProps & { page: GroupPageData; assignment: AssignmentOfGroup }

/** Takes an assignment from the group. */
export function RemoveAssignmentPanel({ page, assignment, ...panel }: RemoveAssignmentProps) {
  const { groups, actions } = useTexts()
  const { type, objectId, name } = assignment
  const path = { id: page.id }
  return (
    <ReviewPanel
      {...panel}
      action={{
        title: groups.unassignTitle(name),
        label: groups.unassign,
        requestKey: objectId,
        send: (options) => removeAssignment(page.id, assignment, options),
        describe: ({ computers = 0 }) => groups.unassigns(name, page.name, computers),
        done: () => ({
          text: groups.unassigned(name),
          ...(type === 'Package' && {
            undo: {
              label: actions.undo,
              run: () => api.POST('/api/group/{id}/packages', { params: { path }, body: { packageId: objectId } }),
              done: groups.assigned(name),
            },
          }),
        }),
        refreshes: [groupKey(page.id)],
      }}
    />
  )
}

export function removeAssignment(
  id: string,
  { type, objectId }: Pick<AssignmentOfGroup, 'type' | 'objectId'>,
  { query }: Partial<Pick<RequestOptions, 'query'>> = {},
) {
  const number = Number(objectId)
  const params = { ...(query && { query }) }
  const ofPackage = { ...params, path: { id, packageId: objectId } }
  switch (type) {
    case 'Package':
      return api.DELETE('/api/group/{id}/packages/{packageId}', { params: ofPackage })
    case 'AgentTemplate':
      return api.DELETE('/api/group/{id}/agent-template/{packageId}', { params: ofPackage })
    case 'LanguagePackImport':
      return api.DELETE('/api/group/{id}/language-pack-imports/{packageId}', { params: ofPackage })
    case 'SoftwareClass':
      return api.DELETE('/api/group/{id}/software-classes/{classId}', {
        params: { ...params, path: { id, classId: number } },
      })
    case 'VariableConfiguration':
      return api.DELETE('/api/group/{id}/variable-configurations/{configId}', {
        params: { ...params, path: { id, configId: number } },
      })
    case 'OsImageSku':
      return api.DELETE('/api/group/{id}/os-image-sku/{skuId}', { params: { ...params, path: { id, skuId: number } } })
    case 'PxeBootImage':
      return api.DELETE('/api/group/{id}/pxe-bootimage/{pxeId}', { params: { ...params, path: { id, pxeId: number } } })
  }
}
