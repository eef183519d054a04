import { useQuery } from '@tanstack/react-query'
import { OtherChanges } from '../../actions/other-changes.tsx'
import { ReviewPanel } from '../../actions/review-panel.tsx'
import { useEdited } from '../../actions/use-edited.ts'
import type { PanelProps } from '../../actions/use-panels.ts'
import { answerOf, api, versionOf } from '../../api/client.ts'
import type { Package } from '../../api/packages.ts'
import { Loading } from '../../components/loading.tsx'
import { ProblemAlert } from '../../components/problem-view.tsx'
import { TagsField } from '../../components/tags-field.tsx'
import { useChosenTags } from '../../components/use-chosen-tags.ts'
import { useTexts } from '../../texts/texts.tsx'

type TagsPanelProps = PanelProps & { found: Package }

/** Sets the tags of the package. Tags that somebody else adds or removes meanwhile stay added or removed. */
export function TagsPanel({ found: { id, name }, ...panel }: TagsPanelProps) {
  const { actions } = useTexts().packages
  const current = useQuery({
    queryKey: ['package', id, 'tags'],
    queryFn: () => readTags(id),
  })
  const tags = current.data?.value.items
  const names = tags?.map(({ designation }) => designation)
  const { others, etag } = useEdited(current.data && { ...current.data, value: { tags: names } })
  const { chosen, isChanged, choose } = useChosenTags(tags?.map((tag) => String(tag.id)) ?? [])
  return (
    <ReviewPanel
      {...panel}
      action={{
        title: actions.tagsTitle(name),
        label: actions.save,
        requestKey: { chosen, etag },
        isComplete: current.data !== undefined && isChanged,
        ...(etag && { etag }),
        form: current.data ? (
          <>
            <OtherChanges changes={others} labels={{ tags: actions.tagsField }} />
            <TagsField label={actions.tagsField} description={actions.tagsHint} value={chosen} onChange={choose} />
          </>
        ) : (
          <>
            <ProblemAlert error={current.error} />
            <Loading height={36} />
          </>
        ),
        send: ({ query: { dryRun }, headers }) =>
          api.PUT('/api/packages/{id}/tags', {
            params: { path: { id }, query: { ...(dryRun && { dryRun }) }, header: headers },
            body: { tagIds: chosen.map(Number) },
          }),
        describe: () => actions.tagged(chosen.length),
        done: () => ({ text: actions.tagsSaved }),
        refreshes: [['package', id], ['packages']],
      }}
    />
  )
}

/** All tags of a package. Their version is that of the first page: the service compares it when tags are set. */
async function readTags(id: string) {
  const path = { id }
  const first = await versionOf(api.GET('/api/packages/{id}/tags', { params: { path } }))
  if (!first.value.hasMore) return first
  return {
    ...first,
    value: await answerOf(api.GET('/api/packages/{id}/tags', { params: { path, query: { top: 1000 } } })),
  }
}
