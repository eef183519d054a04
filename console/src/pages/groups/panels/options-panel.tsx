import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { OtherChanges } from '../../../actions/other-changes.tsx'
import { ReviewPanel } from '../../../actions/review-panel.tsx'
import { useEdited } from '../../../actions/use-edited.ts'
import type { PanelProps } from '../../../actions/use-panels.ts'
import { api } from '../../../api/client.ts'
import { isDeadlineComplete } from '../../../components/user-deadline/user-deadline.ts'
import { useTexts } from '../../../texts/texts.tsx'
import { type DistributionOptions, type GroupPageData, groupKey, optionsQuery } from '../group-queries.ts'
import { OptionsFields } from './options-fields.tsx'

export type OptionsPanelProps = PanelProps & { page: GroupPageData; packageId: string | null }

/** Changes the distribution options of the group, or of a package that is assigned to it. */
export function OptionsPanel({ page, packageId, ...panel }: OptionsPanelProps) {
  const { groups, common } = useTexts()
  const { data: version } = useQuery(optionsQuery(page.id, packageId))
  const { values, etag, typed, isChanged, others, type } = useEdited(version)
  const [settled] = useDebouncedValue(typed, 300)
  return (
    <ReviewPanel
      {...panel}
      action={{
        title: groups.editOptions,
        label: common.save,
        requestKey: settled,
        isComplete: values !== undefined && isChanged && settled === typed && isDeadlineComplete(values.userDeadline),
        isSevere: values?.commands.includes('Uninstall') ?? false,
        ...(etag && { etag }),
        form: values && (
          <>
            <OtherChanges changes={others} labels={{ ...groups.fields, scheduleString: groups.fields.schedule }} />
            <OptionsFields values={values} onChange={type} />
          </>
        ),
        send: ({ query, headers }) =>
          api.PUT('/api/group/{id}/distribution-options', {
            params: { path: { id: page.id }, query: { ...query, ...(packageId && { packageId }) }, header: headers },
            body: toRequest(values),
          }),
        describe: ({ computers = 0 }) => groups.changesOptions(computers),
        done: () => ({ text: common.saved }),
        refreshes: [groupKey(page.id)],
      }}
    />
  )
}

/** The names and the parts say it all; their encoded forms are left out. */
function toRequest(values: DistributionOptions | undefined) {
  if (!values) return {}
  const { commands, schedule, revokeCount, wol, revokeDate, optionalDate, userDeadline, preDownload } = values
  return { commands, schedule, revokeCount, wol, revokeDate, optionalDate, userDeadline, preDownload }
}
