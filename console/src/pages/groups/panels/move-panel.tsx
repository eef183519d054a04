import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { OtherChanges } from '../../../actions/other-changes.tsx'
import { ReviewPanel } from '../../../actions/review-panel.tsx'
import { useEdited } from '../../../actions/use-edited.ts'
import type { PanelProps } from '../../../actions/use-panels.ts'
import { api } from '../../../api/client.ts'
import { useTexts } from '../../../texts/texts.tsx'
import { type GroupPageData, groupKey, groupsKey, groupVersionQuery } from '../group-queries.ts'
import { listPossibleParents } from '../tree/forest.ts'
import { useForest } from '../tree/forest-context.ts'
import { GroupPicker } from './group-picker.tsx'
import { MovePreview } from './move-preview.tsx'

/** Moves the group below another one, after it was shown what that changes. */
export function MovePanel({ page, ...panel }: PanelProps & { page: GroupPageData }) {
  const { groups, actions } = useTexts()
  const forest = useForest()
  const [parentId, setParentId] = useState<string | null>(null)
  const { data: version } = useQuery(groupVersionQuery(page.id))
  const { etag, others } = useEdited(version)
  const parents = useMemo(() => (forest ? listPossibleParents(forest, page.id) : []), [forest, page.id])
  const choices = parents.filter(({ id }) => id !== page.parentId)
  const moveTo = (target: string) =>
    api.PUT('/api/group/{id}/parent', { params: { path: { id: page.id } }, body: { parentId: target } })
  return (
    <ReviewPanel
      {...panel}
      action={{
        title: groups.moveTitle(page.name),
        label: groups.move,
        requestKey: parentId,
        isComplete: parentId !== null && etag !== undefined,
        ...(etag && { etag }),
        form: (
          <>
            <OtherChanges changes={others} labels={{ name: groups.name, parentId: groups.parent }} />
            <GroupPicker label={groups.newParent} groups={choices} value={parentId} onChange={setParentId} />
          </>
        ),
        send: ({ query, headers }) =>
          api.PUT('/api/group/{id}/parent', {
            params: { path: { id: page.id }, query, header: headers },
            body: { parentId: parentId ?? '' },
          }),
        describe: ({ answer, computers = 0 }) => groups.moves(answer.path, answer.groups, computers),
        details: ({ answer }) => <MovePreview move={answer} />,
        done: ({ path, previousParentId }) => ({
          text: groups.moved(path),
          undo: { label: actions.undo, run: () => moveTo(previousParentId), done: groups.movedBack },
        }),
        refreshes: [groupsKey, groupKey(page.id)],
      }}
    />
  )
}
