import { useQuery } from '@tanstack/react-query'
import { OtherChanges } from '../../../actions/other-changes.tsx'
import { ReviewPanel } from '../../../actions/review-panel.tsx'
import { useEdited } from '../../../actions/use-edited.ts'
import { api } from '../../../api/client.ts'
import { useTexts } from '../../../texts/texts.tsx'
import { groupKey, variableVersionQuery } from '../group-queries.ts'
import type { VariablePanelProps } from './variable-panel.tsx'

/** Deletes the value of the group so that it inherits one again. */
export function UnsetVariablePanel({ page, variable, ...panel }: VariablePanelProps) {
  const { groups } = useTexts()
  const { varId, dottedName } = variable
  const { data: version } = useQuery(variableVersionQuery(page.id, varId))
  const { etag, others } = useEdited(version)
  return (
    <ReviewPanel
      {...panel}
      action={{
        title: dottedName,
        label: groups.unset,
        isComplete: etag !== undefined,
        ...(etag && { etag }),
        form: <OtherChanges changes={others} labels={{ value: groups.value, forced: groups.forced }} />,
        send: ({ query, headers }) =>
          api.PUT('/api/group/{id}/variables/{varId}', {
            params: { path: { id: page.id, varId }, query, header: headers },
            body: { value: null },
          }),
        describe: ({ computers = 0 }) => groups.unsetsVariable(dottedName, page.name, computers),
        done: () => ({ text: groups.wasUnset(dottedName) }),
        refreshes: [groupKey(page.id)],
      }}
    />
  )
}
