import type { UseQueryResult } from '@tanstack/react-query'
import type { Schemas, Versioned } from '../api/client.ts'
import { Loading } from '../components/loading.tsx'
import { ProblemAlert } from '../components/problem-view.tsx'
import { TagsField } from '../components/tags-field.tsx'
import { useChosenTags } from '../components/use-chosen-tags.ts'
import type { Answer } from './dry-run.ts'
import { OtherChanges } from './other-changes.tsx'
import { ReviewPanel } from './review-panel.tsx'
import type { RequestOptions, ReviewedAction } from './reviewed-action.ts'
import { useEdited } from './use-edited.ts'
import type { PanelProps } from './use-panels.ts'

type TagsReviewProps<A> = PanelProps &
  Pick<ReviewedAction<A>, 'title' | 'label'> & {
    tags: UseQueryResult<Versioned<readonly Schemas['Tag'][]>>
    texts: { tagsField: string; tagsHint: string; tagged: (count: number) => string; tagsSaved: string }
    send: (options: RequestOptions, body: { tagIds: number[] }) => Promise<Answer<A>>
    refreshes: NonNullable<ReviewedAction<A>['refreshes']>
  }

/** Sets the tags of something. Tags that somebody else adds or removes meanwhile stay added or removed. */
export function TagsReview<A>({ isOpen, onClose, tags, texts, send, ...action }: TagsReviewProps<A>) {
  const { data, error } = tags
  const { others, etag } = useEdited(
    data && { etag: data.etag, value: { tags: data.value.map(({ designation }) => designation) } },
  )
  const { chosen, isChanged, choose } = useChosenTags(data?.value.map(({ id }) => String(id)) ?? [])
  return (
    <ReviewPanel<A>
      isOpen={isOpen}
      onClose={onClose}
      action={{
        ...action,
        requestKey: { chosen, etag },
        isComplete: data !== undefined && isChanged,
        ...(etag && { etag }),
        form: data ? (
          <>
            <OtherChanges changes={others} labels={{ tags: texts.tagsField }} />
            <TagsField label={texts.tagsField} description={texts.tagsHint} value={chosen} onChange={choose} />
          </>
        ) : (
          <>
            <ProblemAlert error={error} />
            <Loading height={36} />
          </>
        ),
        send: (options) => send(options, { tagIds: chosen.map(Number) }),
        describe: () => texts.tagged(chosen.length),
        done: () => ({ text: texts.tagsSaved }),
      }}
    />
  )
}
