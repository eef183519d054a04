import { useQuery } from '@tanstack/react-query'
import { TagsReview } from '../../../actions/tags-review.tsx'
import { api, versionOf } from '../../../api/client.ts'
import { useComputerRecordTexts } from '../../../texts/computer-record-texts.ts'
import { useTexts } from '../../../texts/texts.tsx'
import { computerKey } from '../computer-data.ts'
import type { ActionPanelProps } from './action-panel.ts'

/** Sets the tags of the computer. */
export function TagsPanel({ page, ...panel }: ActionPanelProps) {
  const texts = useComputerRecordTexts()
  const { common } = useTexts()
  const { id, hostname } = page.computer
  const path = { id }
  const tags = useQuery({
    queryKey: [...computerKey(id), 'tags'],
    queryFn: () => versionOf(api.GET('/api/computer/{id}/tags', { params: { path } })),
  })
  return (
    <TagsReview
      {...panel}
      tags={tags}
      texts={texts}
      title={texts.tagsTitle(hostname)}
      label={common.save}
      send={({ uncounted: query, headers }, body) =>
        api.PUT('/api/computer/{id}/tags', { params: { path, query, header: headers }, body })
      }
      refreshes={[computerKey(id), ['computers'], ['groups'], ['group']]}
    />
  )
}
