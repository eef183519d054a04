import { ActionIcon, Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { Link } from 'react-router'
import { ReviewPanel } from '../../actions/review-panel.tsx'
import { api, type Schemas } from '../../api/client.ts'
import { useListPages } from '../../api/list-pages.ts'
import { GroupChoice } from '../../components/group-choice.tsx'
import { IconPlus, IconTrash } from '../../components/icons.ts'
import { LoadMore } from '../../components/load-more.tsx'
import { ProblemView } from '../../components/problem-view.tsx'
import { Section } from '../../components/section.tsx'
import { useHasRole } from '../../shell/session-context.ts'
import { usePatchPolicyTexts } from '../../texts/patch-policy-texts.ts'
import { policiesKey } from '../patch-policies/policies.ts'

type Assignment = Schemas['PatchPolicyAssignment']

/** The groups whose computers have the policy. */
export function PolicyAssignments({ policyId }: { policyId: number }) {
  const texts = usePatchPolicyTexts()
  const mayApprove = useHasRole('pm.approve')
  const mayReadGroups = useHasRole('group.read')
  const pages = useListPages({
    queryKey: [...policiesKey, policyId, 'assignments'],
    load: (page) =>
      api.GET('/api/patch-policies/{id}/assignments', {
        params: { path: { id: policyId }, query: { top: 50, ...page } },
      }),
  })
  return (
    <Section title={texts.assignments} actions={mayApprove && mayReadGroups && <Assign policyId={policyId} />}>
      {Boolean(pages.error) && <ProblemView error={pages.error} onRetry={pages.refetch} />}
      {pages.rows?.length === 0 && (
        <Text size="sm" c="dimmed">
          {texts.noAssignments}
        </Text>
      )}
      <Stack gap="xs">
        {pages.rows?.map((assignment) => (
          <Group key={assignment.groupId} gap="sm" wrap="nowrap">
            <Anchor component={Link} to={`/groups/${assignment.groupId}`} size="sm" className="breakable">
              {assignment.groupPath}
            </Anchor>
            <Text size="sm" c="dimmed">
              {texts.computersOf(assignment.computerCount)}
            </Text>
            {mayApprove && <Unassign assignment={assignment} />}
          </Group>
        ))}
        <LoadMore query={pages} />
      </Stack>
    </Section>
  )
}

function Assign({ policyId }: { policyId: number }) {
  const texts = usePatchPolicyTexts()
  const [isOpen, panel] = useDisclosure()
  const [groupId, setGroupId] = useState('')
  return (
    <>
      <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={panel.open}>
        {texts.assign}
      </Button>
      <ReviewPanel<Assignment>
        isOpen={isOpen}
        onClose={panel.close}
        action={{
          title: texts.assignTitle,
          label: texts.assign,
          form: <GroupChoice isRequired label={texts.group} value={groupId} onChange={setGroupId} />,
          isComplete: groupId !== '',
          requestKey: groupId,
          send: ({ query, headers }) =>
            api.POST('/api/patch-policies/{id}/assignments', {
              params: { path: { id: policyId }, query, header: headers },
              body: { groupId },
            }),
          describe: ({ computers = 0 }) => texts.assigns(computers),
          done: () => ({ text: texts.assigned }),
          refreshes: [policiesKey],
        }}
      />
    </>
  )
}

function Unassign({ assignment: { policyId, groupId, groupPath } }: { assignment: Assignment }) {
  const texts = usePatchPolicyTexts()
  const [isOpen, panel] = useDisclosure()
  return (
    <>
      <ActionIcon variant="subtle" color="red" aria-label={texts.unassign(groupPath)} onClick={panel.open}>
        <IconTrash size={16} aria-hidden />
      </ActionIcon>
      <ReviewPanel<unknown>
        isOpen={isOpen}
        onClose={panel.close}
        action={{
          title: texts.unassignTitle,
          label: texts.remove,
          requestKey: ['unassign', policyId, groupId],
          send: ({ query }) =>
            api.DELETE('/api/patch-policies/{id}/assignments/{groupId}', {
              params: { path: { id: policyId, groupId }, query },
            }),
          describe: ({ computers = 0 }) => texts.unassigns(computers),
          done: () => ({ text: texts.unassigned }),
          refreshes: [policiesKey],
        }}
      />
    </>
  )
}
