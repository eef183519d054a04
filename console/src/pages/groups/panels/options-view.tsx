import { Code } from '@mantine/core'
import { Facts } from '../../../components/facts.tsx'
import { Moment } from '../../../components/moment.tsx'
import { useDeadlineRows } from '../../../components/user-deadline/use-deadline-rows.ts'
import { useFormat } from '../../../texts/format.ts'
import { useTexts } from '../../../texts/texts.tsx'
import type { DistributionOptions } from '../group-queries.ts'

/** The distribution options in words. */
export function OptionsView({ options }: { options: DistributionOptions }) {
  const { groups, common, actions } = useTexts()
  const format = useFormat()
  const { fields } = groups
  const { schedule } = options
  const deadlineRows = useDeadlineRows(options.userDeadline)
  return (
    <Facts
      rows={[
        [fields.commands, options.commands.map((command) => groups.commands[command]).join(', ')],
        [
          fields.schedule,
          options.scheduleString ? (
            <Code key="schedule" className="breakable">
              {options.scheduleString}
            </Code>
          ) : (
            groups.atAnyTime
          ),
        ],
        [fields.nextStart, schedule.nextStart && <Moment at={schedule.nextStart} />],
        [
          fields.revokeCount,
          options.revokeCount === 0 ? common.never : groups.times(format.number(options.revokeCount)),
        ],
        [fields.revokeDate, options.revokeDate && <Moment at={options.revokeDate} />],
        [fields.optionalDate, options.optionalDate && <Moment at={options.optionalDate} />],
        [fields.wol, options.wol ? actions.yes : actions.no],
        [fields.preDownload, options.preDownload ? actions.yes : actions.no],
        ...deadlineRows,
      ]}
    />
  )
}
