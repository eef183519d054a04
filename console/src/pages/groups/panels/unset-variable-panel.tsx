import { useQuery } from '@tanstack/react-query'
import { DeleteReview } from '../../../actions/delete-review.tsx'
import { api } from '../../../api/client.ts'
import { useTexts } from '../../../texts/texts.tsx'
import { groupKey, variableVersionQuery } from '../group-queries.ts'
import type { VariablePanelProps } from './variable-panel.tsx'

/** Deletes the value of the group so that it inherits one again. */
export function UnsetVariablePanel({ page, variable, ...panel }: VariablePanelProps) {
  const { groups } = useTexts()
  const { varId, dottedName } = variable
  const { data: version } = useQuery(variableVersionQuery(page.id, varId))
  return (
    <DeleteReview
      {...panel}
      version={version}
      labels={{ value: groups.value, forced: groups.forced }}
      title={dottedName}
      label={groups.unset}
      isSevere={false}
      send={({ query, headers }) =>
        api.PUT('/api/group/{id}/variables/{varId}', {
          params: { path: { id: page.id, varId }, query, header: headers },
          body: { value: null },
        })
      }
      describe={({ computers = 0 }) => groups.unsetsVariable(dottedName, page.name, computers)}
      done={() => ({ text: groups.wasUnset(dottedName) })}
      refreshes={[groupKey(page.id)]}
    />
  )
}
