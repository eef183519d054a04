import { Anchor, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { ReviewPanel } from '../../actions/review-panel.tsx'
import { api } from '../../api/client.ts'
import type { Package, PackagePageData } from '../../api/packages.ts'
import { GroupChoice } from '../../components/group-choice.tsx'
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
            <GroupChoice
              isRequired
              label={actions.deployTo}
              description={actions.deployHint}
              value={groupId}
              onChange={setGroupId}
            />
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
