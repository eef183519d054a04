import { Text } from '@mantine/core'
import { useState } from 'react'
import { ReviewPanel } from '../../../actions/review-panel.tsx'
import { api } from '../../../api/client.ts'
import type { ChosenGroup } from '../../../components/group-choice.tsx'
import { useTexts } from '../../../texts/texts.tsx'
import { GroupSelect } from './group-select.tsx'
import type { ActionPanelProps } from './panel-props.ts'

export function AddToGroup({ ids, isOpen, onClose }: ActionPanelProps) {
  const { computers: texts } = useTexts()
  const [group, setGroup] = useState<ChosenGroup>()
  const body = { computerIds: [...ids] }
  return (
    <ReviewPanel
      isOpen={isOpen}
      onClose={onClose}
      action={{
        title: texts.actions.addToGroupTitle,
        label: texts.actions.addToGroup,
        isComplete: group !== undefined,
        requestKey: [group?.id, body],
        form: <GroupSelect value={group} onChange={setGroup} />,
        send: ({ query, headers }) =>
          api.POST('/api/fleet/groups/{id}/computers', {
            params: { path: { id: group?.id ?? '' }, query, header: headers },
            body,
          }),
        describe: ({ answer }) => texts.actions.adds(answer.added, group?.path ?? ''),
        details: ({ answer: { alreadyMembers, inOtherConfigurationGroup } }) => (
          <>
            {alreadyMembers > 0 && <Text c="dimmed">{texts.actions.alreadyMembers(alreadyMembers)}</Text>}
            {inOtherConfigurationGroup > 0 && (
              <Text c="dimmed">{texts.actions.inOtherGroup(inOtherConfigurationGroup)}</Text>
            )}
          </>
        ),
        done: ({ added }) => ({ text: texts.actions.added(added) }),
        refreshes: [['computers'], ['groups'], ['group']],
      }}
    />
  )
}
