import { useQuery } from '@tanstack/react-query'
import { TagsReview } from '../../actions/tags-review.tsx'
import type { PanelProps } from '../../actions/use-panels.ts'
import { answerOf, api, type Schemas, type Versioned, versionOf } from '../../api/client.ts'
import type { Package } from '../../api/packages.ts'
import { useTexts } from '../../texts/texts.tsx'

type TagsPanelProps = PanelProps & { found: Package }

/** Sets the tags of the package. */
export function TagsPanel({ found: { id, name }, ...panel }: TagsPanelProps) {
  const { actions } = useTexts().packages
  const tags = useQuery({ queryKey: ['package', id, 'tags'], queryFn: () => readTags(id) })
  return (
    <TagsReview
      {...panel}
      tags={tags}
      texts={actions}
      title={actions.tagsTitle(name)}
      label={actions.save}
      send={({ uncounted: query, headers }, body) =>
        api.PUT('/api/packages/{id}/tags', { params: { path: { id }, query, header: headers }, body })
      }
      refreshes={[['package', id], ['packages']]}
    />
  )
}

/** All tags of a package. Their version is that of the first page: the service compares it when tags are set. */
async function readTags(id: string): Promise<Versioned<Schemas['Tag'][]>> {
  const path = { id }
  const { value, etag } = await versionOf(api.GET('/api/packages/{id}/tags', { params: { path } }))
  if (!value.hasMore) return { etag, value: value.items }
  const all = await answerOf(api.GET('/api/packages/{id}/tags', { params: { path, query: { top: 1000 } } }))
  return { etag, value: all.items }
}
