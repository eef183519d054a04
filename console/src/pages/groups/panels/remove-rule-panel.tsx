import { useQuery } from '@tanstack/react-query'
import { DeleteReview } from '../../../actions/delete-review.tsx'
import type { PanelProps } from '../../../actions/use-panels.ts'
import { api } from '../../../api/client.ts'
import { useGroupRuleTexts } from '../../../texts/group-rule-texts.ts'
import { type GroupPageData, groupKey, ruleQuery } from '../group-queries.ts'

/** Removes the rule of a group. Its members stay. */
export function RemoveRulePanel({ page, ...panel }: PanelProps & { page: GroupPageData }) {
  const texts = useGroupRuleTexts()
  const { data: version } = useQuery(ruleQuery(page.id))
  return (
    <DeleteReview
      {...panel}
      version={version}
      labels={{ maxChangesPerHour: texts.fields.maxChangesPerHour }}
      title={texts.panelTitle(page.name)}
      label={texts.remove}
      isSevere={false}
      send={({ query, headers }) =>
        api.DELETE('/api/group/{id}/rule', { params: { path: { id: page.id }, query, header: headers } })
      }
      describe={() => texts.removes(page.rule.membersByRule)}
      done={() => ({ text: texts.isRemoved })}
      refreshes={[groupKey(page.id)]}
    />
  )
}
