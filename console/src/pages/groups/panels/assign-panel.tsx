import { useState } from 'react'
import { ReviewPanel } from '../../../actions/review-panel.tsx'
import type { PanelProps } from '../../../actions/use-panels.ts'
import { api } from '../../../api/client.ts'
import { PackagePicker, type PickedPackage } from '../../../components/package-picker.tsx'
import { useTexts } from '../../../texts/texts.tsx'
import { type GroupPageData, groupKey } from '../group-queries.ts'

/** Assigns a package to the group. */
export function AssignPanel({ page, ...panel }: PanelProps & { page: GroupPageData }) {
  const { groups, actions } = useTexts()
  const [picked, setPicked] = useState<PickedPackage>()
  const path = { id: page.id }
  return (
    <ReviewPanel
      {...panel}
      action={{
        title: groups.assignTitle(page.name),
        label: groups.assign,
        requestKey: picked?.id,
        isComplete: picked !== undefined,
        form: <PackagePicker value={picked} onChange={setPicked} />,
        send: ({ query, headers }) =>
          api.POST('/api/group/{id}/packages', {
            params: { path, query, header: headers },
            body: { packageId: picked?.id ?? '' },
          }),
        describe: ({ answer, computers = 0 }) =>
          answer.alreadyAssigned
            ? groups.alreadyAssigned(picked?.name ?? '')
            : groups.assigns(picked?.name ?? '', page.path, computers),
        done: ({ packageId, alreadyAssigned }) => ({
          text: groups.assigned(picked?.name ?? ''),
          to: `/groups/${page.id}/assignments`,
          ...(!alreadyAssigned && {
            undo: {
              label: actions.undo,
              run: () =>
                api.DELETE('/api/group/{id}/packages/{packageId}', { params: { path: { ...path, packageId } } }),
              done: groups.unassigned(picked?.name ?? ''),
            },
          }),
        }),
        refreshes: [groupKey(page.id)],
      }}
    />
  )
}
