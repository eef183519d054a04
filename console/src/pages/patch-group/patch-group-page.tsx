import { Button, Group, Paper } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { ReviewPanel } from '../../actions/review-panel.tsx'
import { answerOf, api } from '../../api/client.ts'
import type { components } from '../../api/types.ts'
import { DataAge } from '../../components/data-age.tsx'
import { Figure, Figures } from '../../components/figures.tsx'
import { IconTrash } from '../../components/icons.ts'
import { Loading } from '../../components/loading.tsx'
import { Page } from '../../components/page.tsx'
import { ProblemView } from '../../components/problem-view.tsx'
import { useLive } from '../../live/use-live.ts'
import { useHasRole } from '../../shell/session-context.ts'
import { useFormat } from '../../texts/format.ts'
import { usePatchTexts } from '../../texts/patch-texts.ts'
import { Assignments } from './assignments.tsx'
import { EditGroup } from './edit-group.tsx'
import { Emergency } from './emergency.tsx'
import { GroupPatches } from './group-patches.tsx'

type PatchGroupDetails = components['schemas']['PatchGroupPage']

export function PatchGroupPage() {
  const id = Number(useParams().id)
  const patches = usePatchTexts()
  useLive({ types: ['muster.patch.*', 'muster.work.*'], refreshes: [['patches', 'group', id]] })
  const { data, error, refetch } = useQuery({
    queryKey: ['patches', 'group', id],
    queryFn: () => answerOf(api.GET('/api/fleet/patch-groups/{id}', { params: { path: { id } } })),
  })
  if (!data)
    return (
      <Page title={patches.groups.name}>
        {error ? <ProblemView error={error} onRetry={refetch} /> : <Loading height={160} />}
      </Page>
    )
  return (
    <Page title={data.pmGroup.name} intro={data.pmGroup.description} actions={<GroupActions data={data} />}>
      <PatchGroupFigures data={data} />
      <Emergency data={data} />
      <GroupPatches data={data} />
      <Assignments data={data} />
    </Page>
  )
}

function PatchGroupFigures({ data: { pmGroup, computers, missing, calculatedAtUtc } }: { data: PatchGroupDetails }) {
  const { group } = usePatchTexts()
  const format = useFormat()
  const values = [
    { label: group.patches, value: pmGroup.patchCount },
    { label: group.computers, value: computers },
    { label: group.missing, value: missing },
  ]
  return (
    <Paper withBorder p="md">
      <Group justify="space-between" align="flex-start">
        <Figures>
          {values.map(({ label, value }) => (
            <Figure key={label} name={label}>
              {format.number(value)}
            </Figure>
          ))}
        </Figures>
        {calculatedAtUtc && <DataAge atUtc={calculatedAtUtc} />}
      </Group>
    </Paper>
  )
}

function GroupActions({ data }: { data: PatchGroupDetails }) {
  return (
    <>
      <EditGroup pmGroup={data.pmGroup} />
      <DeleteGroup data={data} />
    </>
  )
}

function DeleteGroup({ data: { pmGroup } }: { data: PatchGroupDetails }) {
  const { group } = usePatchTexts()
  const [isOpen, panel] = useDisclosure()
  if (!useHasRole('pm.write')) return null
  return (
    <>
      <Button variant="default" c="red" leftSection={<IconTrash size={16} aria-hidden />} onClick={panel.open}>
        {group.deleteGroup}
      </Button>
      <ReviewPanel<unknown>
        isOpen={isOpen}
        onClose={panel.close}
        action={{
          title: group.deleteTitle,
          label: group.deleteGroup,
          isSevere: true,
          requestKey: ['delete', pmGroup.id],
          send: ({ query }) => api.DELETE('/api/pmgroup/{id}', { params: { path: { id: pmGroup.id }, query } }),
          describe: ({ computers = 0 }) => group.deleteText(computers),
          done: () => ({ text: group.deleted, to: '/patches' }),
          refreshes: [['patches', 'groups']],
        }}
      />
    </>
  )
}
