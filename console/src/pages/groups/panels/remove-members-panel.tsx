import { ReviewPanel } from '../../../actions/review-panel.tsx'
import type { PanelProps } from '../../../actions/use-panels.ts'
import { api } from '../../../api/client.ts'
import { useTexts } from '../../../texts/texts.tsx'
import { type GroupPageData, groupKey, groupsKey } from '../group-queries.ts'

type RemoveMembersProps = PanelProps & {
  page: GroupPageData
  computerIds: readonly number[]
  onRemoved: () => void
}

/** Removes computers from the group. */
export function RemoveMembersPanel({ page, computerIds, onRemoved, ...panel }: RemoveMembersProps) {
  const { groups, actions } = useTexts()
  const path = { id: page.id }
  const ids = [...computerIds]
  return (
    <ReviewPanel
      {...panel}
      action={{
        title: groups.removeTitle(page.name),
        label: groups.removeMembers(ids.length),
        requestKey: ids,
        isComplete: ids.length > 0,
        send: ({ query }) =>
          api.DELETE('/api/group/{id}/computers', {
            params: { path, query: { ...query, computerIds: ids } },
          }),
        describe: ({ answer }) => groups.removes(answer.results.filter(({ status }) => status === 'Removed').length),
        done: ({ results }) => {
          const removed = results.filter(({ status }) => status === 'Removed').map(({ clientId }) => clientId)
          onRemoved()
          const add = () => api.POST('/api/group/{id}/computers', { params: { path }, body: { computerIds: removed } })
          return {
            text: groups.removed(removed.length),
            ...(removed.length > 0 && { undo: { label: actions.undo, run: add, done: groups.added(removed.length) } }),
          }
        },
        refreshes: [groupsKey, groupKey(page.id)],
      }}
    />
  )
}
