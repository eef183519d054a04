import { useQuery } from '@tanstack/react-query'
import { OtherChanges } from '../../../actions/other-changes.tsx'
import { ReviewPanel } from '../../../actions/review-panel.tsx'
import { useEdited } from '../../../actions/use-edited.ts'
import { api, versionOf } from '../../../api/client.ts'
import { Loading } from '../../../components/loading.tsx'
import { ProblemAlert } from '../../../components/problem-view.tsx'
import { TagsField } from '../../../components/tags-field.tsx'
import { useChosenTags } from '../../../components/use-chosen-tags.ts'
import { useComputerRecordTexts } from '../../../texts/computer-record-texts.ts'
import { useTexts } from '../../../texts/texts.tsx'
import { computerKey } from '../computer-data.ts'
import { type ActionPanelProps, dryRunOnly } from './action-panel.ts'

/** Sets the tags of the computer. Tags that somebody else adds or removes meanwhile stay added or removed. */
export function TagsPanel({ page, ...panel }: ActionPanelProps) {
  const texts = useComputerRecordTexts()
  const { common } = useTexts()
  const { id, hostname } = page.computer
  const path = { id }
  const current = useQuery({
    queryKey: [...computerKey(id), 'tags'],
    queryFn: () => versionOf(api.GET('/api/computer/{id}/tags', { params: { path } })),
  })
  const tags = current.data?.value
  const names = tags?.map(({ designation }) => designation)
  const { others, etag } = useEdited(current.data && { ...current.data, value: { tags: names } })
  const { chosen, isChanged, choose } = useChosenTags(tags?.map((tag) => String(tag.id)) ?? [])
  return (
    <ReviewPanel
      {...panel}
      action={{
        title: texts.tagsTitle(hostname),
        label: common.save,
        requestKey: { chosen, etag },
        isComplete: current.data !== undefined && isChanged,
        ...(etag && { etag }),
        form: current.data ? (
          <>
            <OtherChanges changes={others} labels={{ tags: texts.tagsField }} />
            <TagsField label={texts.tagsField} description={texts.tagsHint} value={chosen} onChange={choose} />
          </>
        ) : (
          <>
            <ProblemAlert error={current.error} />
            <Loading height={36} />
          </>
        ),
        send: ({ query: { dryRun }, headers }) =>
          api.PUT('/api/computer/{id}/tags', {
            params: { path, query: dryRunOnly(dryRun), header: headers },
            body: { tagIds: chosen.map(Number) },
          }),
        describe: () => texts.tagged(chosen.length),
        done: () => ({ text: texts.tagsSaved }),
        refreshes: [computerKey(id), ['computers'], ['groups'], ['group']],
      }}
    />
  )
}
