import { useState } from 'react'
import { ReviewPanel } from '../../../actions/review-panel.tsx'
import type { PanelProps } from '../../../actions/use-panels.ts'
import { api } from '../../../api/client.ts'
import { useTexts } from '../../../texts/texts.tsx'
import { type GroupPageData, groupKey, groupsKey } from '../group-queries.ts'
import { ComputerPicker, type PickedComputer } from './computer-picker.tsx'
import { MembershipResults } from './membership-results.tsx'

/** Adds computers to the group. */
export function AddMembersPanel({ page, ...panel }: PanelProps & { page: GroupPageData }) {
  const { groups, actions } = useTexts()
  const [picked, setPicked] = useState<readonly PickedComputer[]>([])
  const computerIds = picked.map(({ id }) => id)
  const path = { id: page.id }
  return (
    <ReviewPanel
      {...panel}
      action={{
        title: groups.addTitle(page.name),
        label: groups.addMembers,
        requestKey: computerIds,
        isComplete: computerIds.length > 0,
        form: <ComputerPicker value={picked} onChange={setPicked} />,
        send: ({ query, headers }) =>
          api.POST('/api/group/{id}/computers', { params: { path, query, header: headers }, body: { computerIds } }),
        describe: ({ answer }) => groups.adds(answer.results.filter(({ status }) => status === 'Added').length),
        details: ({ answer }) => <MembershipResults results={answer.results} names={picked} />,
        done: ({ results }) => {
          const added = results.filter(({ status }) => status === 'Added').map(({ clientId }) => clientId)
          const remove = () =>
            api.DELETE('/api/group/{id}/computers', { params: { path, query: { computerIds: added } } })
          return {
            text: groups.added(added.length),
            ...(added.length > 0 && { undo: { label: actions.undo, run: remove, done: groups.removed(added.length) } }),
          }
        },
        refreshes: [groupsKey, groupKey(page.id)],
      }}
    />
  )
}
