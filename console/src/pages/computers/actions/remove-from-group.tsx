import { Alert, Text } from '@mantine/core'
import { useState } from 'react'
import { ReviewPanel } from '../../../actions/review-panel.tsx'
import { api } from '../../../api/client.ts'
import type { ChosenGroup } from '../../../components/group-choice.tsx'
import { useTexts } from '../../../texts/texts.tsx'
import { GroupSelect } from './group-select.tsx'
import type { ActionPanelProps } from './panel-props.ts'

/** The limit of one request. */
const maxComputers = 500

/** Takes the selected computers out of a group, as far as they are in it. */
export function RemoveFromGroup({ ids, isOpen, onClose }: ActionPanelProps) {
  const { computers: texts, actions } = useTexts()
  const [group, setGroup] = useState<ChosenGroup>()
  const computerIds = [...ids]
  const path = { id: group?.id ?? '' }
  const isTooMany = ids.length > maxComputers
  return (
    <ReviewPanel
      isOpen={isOpen}
      onClose={onClose}
      action={{
        title: texts.actions.removeFromGroupTitle,
        label: texts.actions.removeFromGroup,
        isComplete: group !== undefined && !isTooMany,
        requestKey: [group?.id, computerIds],
        form: isTooMany ? (
          <Alert color="orange">{texts.actions.removesTooMany(maxComputers)}</Alert>
        ) : (
          <GroupSelect value={group} onChange={setGroup} />
        ),
        send: ({ query }) =>
          api.DELETE('/api/group/{id}/computers', { params: { path, query: { ...query, computerIds } } }),
        describe: ({ answer }) => texts.actions.removes(removedOf(answer.results).length, group?.path ?? ''),
        details: () => <Text c="dimmed">{texts.actions.removesNothing}</Text>,
        done({ results }) {
          const removed = removedOf(results)
          return {
            text: texts.actions.removed(removed.length),
            ...(removed.length > 0 && {
              undo: {
                label: actions.undo,
                run: () => api.POST('/api/group/{id}/computers', { params: { path }, body: { computerIds: removed } }),
                done: texts.actions.added(removed.length),
              },
            }),
          }
        },
        refreshes: [['computers'], ['groups'], ['group']],
      }}
    />
  )
}

const removedOf = (results: readonly { clientId: number; status: string }[]) =>
  results.filter(({ status }) => status === 'Removed').map(({ clientId }) => clientId)
