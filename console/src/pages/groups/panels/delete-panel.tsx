import { useQuery } from '@tanstack/react-query'
import { DeleteReview } from '../../../actions/delete-review.tsx'
import type { PanelProps } from '../../../actions/use-panels.ts'
import { api } from '../../../api/client.ts'
import { useTexts } from '../../../texts/texts.tsx'
import { type GroupPageData, groupsKey, groupVersionQuery } from '../group-queries.ts'
import { countBelow } from '../tree/forest.ts'
import { useForest } from '../tree/forest-context.ts'

/** Deletes the group and everything below it. Its computers stay. */
export function DeletePanel({ page, ...panel }: PanelProps & { page: GroupPageData }) {
  const { groups } = useTexts()
  const forest = useForest()
  const { data: version } = useQuery(groupVersionQuery(page.id))
  return (
    <DeleteReview
      {...panel}
      version={version}
      labels={{ name: groups.name, description: groups.description, parentId: groups.parent }}
      title={groups.deleteTitle(page.name)}
      label={groups.delete}
      send={({ query, headers }) =>
        api.DELETE('/api/group/{id}', {
          params: { path: { id: page.id }, query: { ...query, force: true }, header: headers },
        })
      }
      describe={({ computers = 0 }) => groups.deletes(page.path, forest ? countBelow(forest, page.id) : 0, computers)}
      done={() => ({ text: groups.deleted(page.name), to: `/groups/${page.parentId ?? ''}` })}
      refreshes={[groupsKey]}
    />
  )
}
