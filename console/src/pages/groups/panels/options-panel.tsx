import { useQuery } from '@tanstack/react-query'
import { EditReview } from '../../../actions/edit-review.tsx'
import type { PanelProps } from '../../../actions/use-panels.ts'
import { api } from '../../../api/client.ts'
import { isDeadlineComplete } from '../../../components/user-deadline/user-deadline.ts'
import { useTexts } from '../../../texts/texts.tsx'
import { type DistributionOptions, type GroupPageData, groupKey, optionsQuery } from '../group-queries.ts'
import { OptionsFields } from './options-fields.tsx'

export type OptionsPanelProps = PanelProps & { page: GroupPageData; packageId: string | null }

/** Changes the distribution options of the group, or of a package that is assigned to it. */
export function OptionsPanel({ page, packageId, ...panel }: OptionsPanelProps) {
  const { groups } = useTexts()
  const { data: version, error } = useQuery(optionsQuery(page.id, packageId))
  return (
    <EditReview
      {...panel}
      version={version}
      error={error}
      title={groups.editOptions}
      labels={{ ...groups.fields, scheduleString: groups.fields.schedule }}
      fields={(values, type) => <OptionsFields values={values} onChange={type} />}
      isComplete={({ userDeadline }) => isDeadlineComplete(userDeadline)}
      isSevere={({ commands }) => commands.includes('Uninstall')}
      send={({ query, headers }, { values }) =>
        api.PUT('/api/group/{id}/distribution-options', {
          params: { path: { id: page.id }, query: { ...query, ...(packageId && { packageId }) }, header: headers },
          body: toRequest(values),
        })
      }
      describe={({ computers = 0 }) => groups.changesOptions(computers)}
      refreshes={[groupKey(page.id)]}
    />
  )
}

/** The names and the parts say it all; their encoded forms are left out. */
function toRequest(values: DistributionOptions) {
  const { commands, schedule, revokeCount, wol, revokeDate, optionalDate, userDeadline, preDownload } = values
  return { commands, schedule, revokeCount, wol, revokeDate, optionalDate, userDeadline, preDownload }
}
