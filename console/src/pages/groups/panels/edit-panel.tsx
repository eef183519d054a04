import { Textarea, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { OtherChanges } from '../../../actions/other-changes.tsx'
import { ReviewPanel } from '../../../actions/review-panel.tsx'
import { useEdited } from '../../../actions/use-edited.ts'
import type { PanelProps } from '../../../actions/use-panels.ts'
import { api } from '../../../api/client.ts'
import { useTexts } from '../../../texts/texts.tsx'
import { type GroupPageData, groupKey, groupsKey, groupVersionQuery } from '../group-queries.ts'

/** Renames the group or changes its description. */
export function EditPanel({ page, ...panel }: PanelProps & { page: GroupPageData }) {
  const { groups, common } = useTexts()
  const { data: version } = useQuery(groupVersionQuery(page.id))
  const { values, etag, typed, isChanged, others, type } = useEdited(version)
  const [settled] = useDebouncedValue(typed, 250)
  const { name, description } = typed
  const body = {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description: description ?? '' }),
  }
  return (
    <ReviewPanel
      {...panel}
      action={{
        title: groups.editTitle(page.name),
        label: common.save,
        requestKey: settled,
        isComplete: isChanged && settled === typed && values?.name.trim() !== '',
        ...(etag && { etag }),
        form: (
          <>
            <OtherChanges changes={others} labels={{ name: groups.name, description: groups.description }} />
            <TextInput
              data-autofocus
              label={groups.name}
              required
              value={values?.name ?? ''}
              onChange={(event) => type({ name: event.currentTarget.value })}
            />
            <Textarea
              label={groups.description}
              value={values?.description ?? ''}
              onChange={(event) => type({ description: event.currentTarget.value })}
            />
          </>
        ),
        send: ({ query: { dryRun }, headers }) =>
          api.PATCH('/api/group/{id}', {
            params: { path: { id: page.id }, query: { ...(dryRun && { dryRun }) }, header: headers },
            body,
          }),
        describe: ({ answer }) => groups.edits(answer.name),
        done: () => ({ text: common.saved }),
        refreshes: [groupsKey, groupKey(page.id)],
      }}
    />
  )
}
