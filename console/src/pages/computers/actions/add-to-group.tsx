import { Select, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { visibleLine } from '@muster/text'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ReviewPanel } from '../../../actions/review-panel.tsx'
import { answerOf, api } from '../../../api/client.ts'
import { useTexts } from '../../../texts/texts.tsx'
import type { ActionPanelProps } from './panel-props.ts'

type Target = { id: string; name: string }

export function AddToGroup({ ids, isOpen, onClose }: ActionPanelProps) {
  const { computers: texts } = useTexts()
  const [group, setGroup] = useState<Target>()
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
        describe: ({ answer }) => texts.actions.adds(answer.added, group?.name ?? ''),
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

type GroupSelectProps = { value: Target | undefined; onChange: (group: Target | undefined) => void }

function GroupSelect({ value, onChange }: GroupSelectProps) {
  const { computers: texts } = useTexts()
  const [search, setSearch] = useState('')
  const [nameContains] = useDebouncedValue(search, 250)
  const { data } = useQuery({
    queryKey: ['groups', 'choice', nameContains],
    queryFn: () =>
      answerOf(api.GET('/api/group', { params: { query: { top: 50, ...(nameContains && { nameContains }) } } })),
    placeholderData: keepPreviousData,
  })
  const groups = data?.items ?? []
  return (
    <Select
      label={texts.actions.group}
      placeholder={texts.actions.groupHint}
      data={groups.map(({ id, name }) => ({ value: id, label: visibleLine(name) }))}
      value={value?.id ?? null}
      onChange={(id) => onChange(groups.find((group) => group.id === id))}
      searchable
      clearable
      nothingFoundMessage={texts.actions.noGroup}
      onSearchChange={setSearch}
      // The service has already filtered the options.
      filter={({ options }) => options}
      comboboxProps={{ withinPortal: true }}
    />
  )
}
