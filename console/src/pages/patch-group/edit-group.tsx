import { Button, Stack, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { OtherChanges } from '../../actions/other-changes.tsx'
import { ReviewPanel } from '../../actions/review-panel.tsx'
import { useEdited } from '../../actions/use-edited.ts'
import { type PanelProps, usePanels } from '../../actions/use-panels.ts'
import { api, versionOf } from '../../api/client.ts'
import { Loading } from '../../components/loading.tsx'
import { ProblemAlert } from '../../components/problem-view.tsx'
import { useHasRole } from '../../shell/session-context.ts'
import { usePatchTexts } from '../../texts/patch-texts.ts'
import { useTexts } from '../../texts/texts.tsx'

type PmGroup = { id: number; name: string }

/** The button that renames the patch group or describes it. */
export function EditGroup({ pmGroup }: { pmGroup: PmGroup }) {
  const { group } = usePatchTexts()
  const { shown, open, onClose } = usePanels<'edit'>()
  if (!useHasRole('pm.write')) return null
  return (
    <>
      <Button variant="default" onClick={() => open('edit', undefined)}>
        {group.edit}
      </Button>
      {shown && <EditPanel key={shown.number} pmGroup={pmGroup} isOpen={shown.isOpen} onClose={onClose} />}
    </>
  )
}

function EditPanel({ pmGroup: { id, name }, ...panel }: PanelProps & { pmGroup: PmGroup }) {
  const { group, groups } = usePatchTexts()
  const { common } = useTexts()
  const path = { id }
  const current = useQuery({
    queryKey: ['patches', 'group', id, 'version'],
    queryFn: () => versionOf(api.GET('/api/pmgroup/{id}', { params: { path } })),
  })
  const { values, etag, typed, isChanged, others, type } = useEdited(current.data)
  const [settled] = useDebouncedValue(typed, 250)
  const body = {
    ...(typed.name !== undefined && { name: typed.name.trim() }),
    ...(typed.description !== undefined && { description: typed.description ?? '' }),
  }
  return (
    <ReviewPanel
      {...panel}
      action={{
        title: group.editTitle(name),
        label: common.save,
        requestKey: { settled, etag },
        isComplete: isChanged && settled === typed && values?.name.trim() !== '',
        ...(etag && { etag }),
        form: values ? (
          <Stack gap="sm">
            <OtherChanges changes={others} labels={{ name: groups.name, description: groups.description }} />
            <TextInput
              data-autofocus
              required
              label={groups.name}
              maxLength={255}
              value={values.name}
              onChange={(event) => type({ name: event.currentTarget.value })}
            />
            <TextInput
              label={groups.description}
              maxLength={1000}
              value={values.description ?? ''}
              onChange={(event) => type({ description: event.currentTarget.value })}
            />
          </Stack>
        ) : (
          <>
            <ProblemAlert error={current.error} />
            <Loading height={120} />
          </>
        ),
        send: ({ query: { dryRun }, headers }) =>
          api.PATCH('/api/pmgroup/{id}', {
            params: { path, query: { ...(dryRun && { dryRun }) }, header: headers },
            body,
          }),
        describe: ({ answer }) => group.edits(answer.name),
        done: () => ({ text: common.saved }),
        refreshes: [['patches']],
      }}
    />
  )
}
