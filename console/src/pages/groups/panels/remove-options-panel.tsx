import { useQuery } from '@tanstack/react-query'
import { DeleteReview } from '../../../actions/delete-review.tsx'
import { api } from '../../../api/client.ts'
import { useTexts } from '../../../texts/texts.tsx'
import { type DistributionOptions, groupKey, optionsQuery } from '../group-queries.ts'
import type { OptionsPanelProps } from './options-panel.tsx'
import { OptionsView } from './options-view.tsx'

/** Removes the options of the group itself so that inherited ones apply. The dry run shows which. */
export function RemoveOptionsPanel({ page, packageId, ...panel }: OptionsPanelProps) {
  const { groups } = useTexts()
  const { data: version } = useQuery(optionsQuery(page.id, packageId))
  return (
    <DeleteReview<DistributionOptions, DistributionOptions>
      {...panel}
      version={version}
      labels={{ ...groups.fields, scheduleString: groups.fields.schedule }}
      title={groups.removeOptions}
      label={groups.removeOptionsLabel}
      isSevere={({ answer }) => removesSoftware(answer)}
      send={({ query, headers }) =>
        api.DELETE('/api/group/{id}/distribution-options', {
          params: { path: { id: page.id }, query: { ...query, ...(packageId && { packageId }) }, header: headers },
        })
      }
      describe={({ computers = 0 }) => groups.removesOptions(computers)}
      details={({ answer }) => <OptionsView options={answer} />}
      done={() => ({ text: groups.optionsRemoved })}
      refreshes={[groupKey(page.id)]}
    />
  )
}

const removesSoftware = ({ commands }: DistributionOptions) =>
  commands.some((command) => command === 'Uninstall' || command === 'Reinstall')
