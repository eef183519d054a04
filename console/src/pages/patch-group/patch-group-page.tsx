import { Button, Group, Paper } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { DeleteReview } from '../../actions/delete-review.tsx'
import { type PanelProps, usePanels } from '../../actions/use-panels.ts'
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
import { pmGroupVersionQuery } from './pm-group-version.ts'

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
  const { shown, open, onClose } = usePanels<'delete'>()
  if (!useHasRole('pm.write')) return null
  return (
    <>
      <Button
        variant="default"
        c="red"
        leftSection={<IconTrash size={16} aria-hidden />}
        onClick={() => open('delete', undefined)}
      >
        {group.deleteGroup}
      </Button>
      {shown && <DeletePanel key={shown.number} id={pmGroup.id} isOpen={shown.isOpen} onClose={onClose} />}
    </>
  )
}

function DeletePanel({ id, ...panel }: PanelProps & { id: number }) {
  const { group, groups } = usePatchTexts()
  const { data: version } = useQuery(pmGroupVersionQuery(id))
  return (
    <DeleteReview
      {...panel}
      version={version}
      labels={{ name: groups.name, description: groups.description }}
      title={group.deleteTitle}
      label={group.deleteGroup}
      send={({ query, headers }) =>
        api.DELETE('/api/pmgroup/{id}', { params: { path: { id }, query, header: headers } })
      }
      describe={({ computers = 0 }) => group.deleteText(computers)}
      done={() => ({ text: group.deleted, to: '/patches' })}
      refreshes={[['patches', 'groups'], pmGroupVersionQuery(id).queryKey]}
    />
  )
}
