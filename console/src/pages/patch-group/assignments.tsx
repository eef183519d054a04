import { Anchor, Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { Link } from 'react-router'
import { ReviewPanel } from '../../actions/review-panel.tsx'
import { api, type Schemas } from '../../api/client.ts'
import { IconPlus } from '../../components/icons.ts'
import { Section } from '../../components/section.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { useHasRole } from '../../shell/session-context.ts'
import { usePatchTexts } from '../../texts/patch-texts.ts'
import { GroupFilter } from '../rollouts/group-filter.tsx'
import { RemoveButton } from './remove-button.tsx'

type Assignment = Schemas['PmGroupAssignment']

/** The groups of computers that get the patches. */
export function Assignments({ data: { pmGroup, assignments } }: { data: Schemas['PatchGroupPage'] }) {
  const { group } = usePatchTexts()
  const mayWrite = useHasRole('pm.write')
  const mayReadGroups = useHasRole('group.read')
  return (
    <Section title={group.assignments} actions={mayWrite && mayReadGroups && <Assign groupId={pmGroup.id} />}>
      {assignments.length === 0 && (
        <Text size="sm" c="dimmed">
          {group.noAssignments}
        </Text>
      )}
      <Stack gap="xs">
        {assignments.map((assignment) => (
          <Group key={assignment.treeId} gap="sm" wrap="nowrap">
            <Anchor component={Link} to={`/groups/${assignment.treeId}`} size="sm" className="breakable">
              {assignment.groupPath}
            </Anchor>
            {assignment.isTestAssignment && <StatusBadge kind="warning">{group.test}</StatusBadge>}
            {assignment.isEmergency && <StatusBadge kind="bad">{group.emergencyAssignment}</StatusBadge>}
            {mayWrite && !assignment.isEmergency && <Unassign assignment={assignment} />}
          </Group>
        ))}
      </Stack>
    </Section>
  )
}

function Assign({ groupId }: { groupId: number }) {
  const { group } = usePatchTexts()
  const [isOpen, panel] = useDisclosure()
  const [treeId, setTreeId] = useState('')
  const [isTest, setIsTest] = useState(false)
  const body = { treeId, isTestAssignment: isTest }
  const form = (
    <Stack>
      <GroupFilter value={treeId} onChange={setTreeId} />
      <Checkbox
        label={group.assignTest}
        checked={isTest}
        onChange={(event) => setIsTest(event.currentTarget.checked)}
      />
    </Stack>
  )
  return (
    <>
      <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={panel.open}>
        {group.assign}
      </Button>
      <ReviewPanel<Assignment>
        isOpen={isOpen}
        onClose={panel.close}
        action={{
          title: group.assignTitle,
          label: group.assign,
          form,
          isComplete: treeId !== '',
          requestKey: body,
          send: ({ query, headers }) =>
            api.POST('/api/pmgroup/{id}/assignments', {
              params: { path: { id: groupId }, query, header: headers },
              body,
            }),
          describe: ({ computers = 0 }) => group.assignText(computers),
          done: () => ({ text: group.assigned }),
          refreshes: [['patches', 'group', groupId]],
        }}
      />
    </>
  )
}

function Unassign({ assignment: { pmGroupId, treeId, groupPath } }: { assignment: Assignment }) {
  const { group } = usePatchTexts()
  return (
    <RemoveButton
      label={group.unassign(groupPath)}
      groupId={pmGroupId}
      action={{
        title: group.unassignTitle,
        requestKey: ['unassign', pmGroupId, treeId],
        send: ({ query }) =>
          api.DELETE('/api/pmgroup/{id}/assignments/{treeId}', { params: { path: { id: pmGroupId, treeId }, query } }),
        describe: ({ computers = 0 }) => group.unassignText(computers),
        done: () => ({ text: group.unassigned }),
      }}
    />
  )
}
