import { Anchor, Select, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { visibleLine } from '@muster/text'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { ReviewPanel } from '../../actions/review-panel.tsx'
import { answerOf, api } from '../../api/client.ts'
import type { Package, PackagePageData } from '../../api/packages.ts'
import { useTexts } from '../../texts/texts.tsx'

type DeployPanelProps = { isOpen: boolean; onClose: () => void; found: Package } & Pick<PackagePageData, 'groups'>

/** Assigns the package to a group and leads there: a group is deployed on its own page, or by a rollout. */
export function DeployPanel({ isOpen, onClose, found: { id, name }, groups }: DeployPanelProps) {
  const { actions } = useTexts().packages
  const [groupId, setGroupId] = useState('')
  const isAssigned = groups.some((group) => group.id === groupId)
  return (
    <ReviewPanel
      isOpen={isOpen}
      onClose={onClose}
      action={{
        title: actions.deployTitle(name),
        label: actions.assign,
        requestKey: { id, groupId },
        isComplete: groupId !== '' && !isAssigned,
        form: (
          <Stack gap="sm">
            <GroupField value={groupId} onChange={setGroupId} />
            {isAssigned && (
              <Text size="sm">
                {actions.alreadyAssigned}{' '}
                <Anchor component={Link} to={`/groups/${groupId}`} size="sm">
                  {actions.openGroup}
                </Anchor>
              </Text>
            )}
          </Stack>
        ),
        send: ({ query, headers }) =>
          api.POST('/api/group/{id}/packages', {
            params: { path: { id: groupId }, query, header: headers },
            body: { packageId: id },
          }),
        describe: ({ computers = 0 }) => actions.deploys(computers),
        done: () => ({ text: actions.assigned, to: `/groups/${groupId}` }),
        refreshes: [['package', id], ['group', groupId], ['groups']],
      }}
    />
  )
}

function GroupField({ value, onChange }: { value: string; onChange: (groupId: string) => void }) {
  const { common, packages } = useTexts()
  const [typed, setTyped] = useState('')
  const [nameContains] = useDebouncedValue(typed, 250)
  const { data } = useQuery({
    queryKey: ['groups', 'field', nameContains],
    queryFn: () =>
      answerOf(api.GET('/api/group', { params: { query: { top: 50, ...(nameContains && { nameContains }) } } })),
    placeholderData: keepPreviousData,
  })
  const options =
    data?.items.map(({ id, name, assignedToTree }) => ({
      value: id,
      label: visibleLine(`${name} (${assignedToTree})`),
    })) ?? []
  return (
    <Select
      data-autofocus
      required
      label={packages.actions.deployTo}
      description={packages.actions.deployHint}
      data={options}
      value={value || null}
      onChange={(id) => onChange(id ?? '')}
      searchable
      nothingFoundMessage={common.nothingFound}
      // The name of a chosen group is not a search.
      onSearchChange={(text) => setTyped(options.some((option) => option.label === text) ? typed : text)}
      // The service has already filtered the options.
      filter={({ options }) => options}
    />
  )
}
