import { Button, Checkbox, Group, ScrollArea, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ReviewPanel } from '../../actions/review-panel.tsx'
import { answerOf, api, type Schemas } from '../../api/client.ts'
import { Loading } from '../../components/loading.tsx'
import { ProblemView } from '../../components/problem-view.tsx'
import { usePatchTexts } from '../../texts/patch-texts.ts'

/** As many computers as one request takes. */
const maxComputers = 500

type Started = Schemas['EmergencyPatchingStarted']

/** Chooses the computers and starts emergency patching on them. Those that lack patches are chosen at first. */
export function StartEmergency({
  data: { pmGroup },
  onClose,
}: {
  data: Schemas['PatchGroupPage']
  onClose: () => void
}) {
  const { group } = usePatchTexts()
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set())
  const candidates = useQuery({
    queryKey: ['patches', 'group', pmGroup.id, 'candidates'],
    queryFn: () =>
      answerOf(
        api.GET('/api/fleet/patch-groups/{id}/computers', {
          params: { path: { id: pmGroup.id }, query: { top: maxComputers } },
        }),
      ),
  })
  const listed = candidates.data?.items ?? []
  const computerIds = listed.map(({ clientId }) => clientId).filter((id) => !left.has(id))
  const form = candidates.error ? (
    <ProblemView error={candidates.error} onRetry={candidates.refetch} />
  ) : candidates.data ? (
    <Candidates listed={listed} total={candidates.data.totalCount} left={left} onChange={setLeft} />
  ) : (
    <Loading height={120} />
  )
  return (
    <ReviewPanel<Started>
      isOpen
      onClose={onClose}
      action={{
        title: group.startTitle,
        label: group.start,
        isSevere: true,
        form,
        isComplete: computerIds.length > 0,
        requestKey: computerIds,
        send: ({ query, headers }) =>
          api.POST('/api/pmgroup/{id}/emergency-patching', {
            params: { path: { id: pmGroup.id }, query, header: headers },
            body: { computerIds },
          }),
        describe: ({ answer }) => group.startText(answer.succeeded, answer.failed),
        done: ({ succeeded }) => ({ text: group.startDone(succeeded) }),
        refreshes: [['patches', 'group', pmGroup.id], ['tasks']],
      }}
    />
  )
}

type CandidatesProps = {
  listed: readonly Schemas['EmergencyCandidate'][]
  total: number
  /** Ids of computers that are not chosen. */
  left: ReadonlySet<number>
  onChange: (left: ReadonlySet<number>) => void
}

function Candidates({ listed, total, left, onChange }: CandidatesProps) {
  const { group } = usePatchTexts()
  if (listed.length === 0) return <Text>{group.candidatesNone}</Text>
  const toggle = (id: number) => {
    const changed = new Set(left)
    if (!changed.delete(id)) changed.add(id)
    onChange(changed)
  }
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {group.chosen(listed.length - left.size, total)}
        </Text>
        <Group gap={4}>
          <Button size="compact-sm" variant="subtle" onClick={() => onChange(new Set())}>
            {group.chooseAll}
          </Button>
          <Button
            size="compact-sm"
            variant="subtle"
            onClick={() => onChange(new Set(listed.map(({ clientId }) => clientId)))}
          >
            {group.chooseNone}
          </Button>
        </Group>
      </Group>
      <ScrollArea.Autosize
        mah={280}
        type="auto"
        viewportProps={{ tabIndex: 0, 'aria-label': group.candidates, role: 'group' }}
      >
        <Stack gap={6} py={4}>
          {listed.map(({ clientId, hostname, missingPatches }) => (
            <Checkbox
              key={clientId}
              label={hostname}
              description={group.lacks(missingPatches)}
              checked={!left.has(clientId)}
              onChange={() => toggle(clientId)}
            />
          ))}
        </Stack>
      </ScrollArea.Autosize>
    </Stack>
  )
}
