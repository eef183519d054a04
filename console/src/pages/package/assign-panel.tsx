import { Anchor, Checkbox, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { ReviewPanel } from '../../actions/review-panel.tsx'
import { api } from '../../api/client.ts'
import type { Package, PackagePageData } from '../../api/packages.ts'
import { type ChosenGroup, GroupChoice } from '../../components/group-choice.tsx'
import { useHasRole } from '../../shell/session-context.ts'
import { useTexts } from '../../texts/texts.tsx'

type AssignPanelProps = { isOpen: boolean; onClose: () => void; found: Package } & Pick<PackagePageData, 'groups'>

/** The page of the group, with the panel that deploys the package open. */
export const toDeployment = (groupId: string, packageId: string) => `/groups/${groupId}?deploy=${packageId}`

/** Assigns the package to a group, and leads to its deployment. */
export function AssignPanel({ isOpen, onClose, found: { id, name, version }, groups }: AssignPanelProps) {
  const { actions } = useTexts().packages
  const mayDeploy = useHasRole('activation.execute')
  const [group, setGroup] = useState<ChosenGroup>()
  const [isDeployed, setIsDeployed] = useState(true)
  const isAssigned = groups.some((one) => one.id === group?.id)
  const groupId = group?.id ?? ''
  return (
    <ReviewPanel
      isOpen={isOpen}
      onClose={onClose}
      action={{
        title: actions.assignTitle(name),
        label: actions.assign,
        requestKey: { id, groupId },
        isComplete: group !== undefined && !isAssigned,
        form: (
          <Stack gap="sm">
            <GroupChoice
              isRequired
              label={actions.assignTo}
              value={groupId}
              onChange={(_, chosen) => setGroup(chosen)}
            />
            {isAssigned && (
              <Text size="sm">
                {actions.alreadyAssigned}{' '}
                <Anchor component={Link} to={mayDeploy ? toDeployment(groupId, id) : `/groups/${groupId}`} size="sm">
                  {mayDeploy ? actions.deploy : actions.openGroup}
                </Anchor>
              </Text>
            )}
            {mayDeploy && !isAssigned && (
              <Checkbox
                label={actions.thenDeploy}
                description={actions.thenDeployHint}
                checked={isDeployed}
                onChange={(event) => setIsDeployed(event.currentTarget.checked)}
              />
            )}
          </Stack>
        ),
        send: ({ query, headers }) =>
          api.POST('/api/group/{id}/packages', {
            params: { path: { id: groupId }, query, header: headers },
            body: { packageId: id },
          }),
        describe: ({ computers = 0 }) =>
          actions.assigns([name, version].filter(Boolean).join(' '), group?.path ?? '', computers),
        done: () => ({
          text: actions.assigned,
          to: mayDeploy && isDeployed ? toDeployment(groupId, id) : `/groups/${groupId}`,
        }),
        refreshes: [['package', id], ['group', groupId], ['groups']],
      }}
    />
  )
}
