import { answerOf } from '@muster/client'
import { changeQuery, command, dryRunOption, expectOption } from '../command.ts'
import { findGroup } from '../names/groups.ts'
import { findPackage, formatPackage } from '../names/packages.ts'
import { deadlineOptions, formatDeadline, parseDeadlineChange, removeDeadlineOption } from './deadline-options.ts'

export const deadline = command({
  name: 'deadline',
  summary: 'Show or set until when people may delay the software of a group',
  description:
    'Without options, shows the deadline that is effective. The other distribution options of the group, or of the package in it, stay as they are.',
  arguments: [
    ['<path>', 'Path of the group, or the end of it if that is unique', 'group'],
    ['[package]', 'Only for this package; by default for all packages of the group', 'package'],
  ],
  options: [...deadlineOptions, removeDeadlineOption, expectOption, dryRunOption],
  examples: [
    ['muster deadline Office firefox@128', 'Until when people may delay it'],
    [
      'muster deadline Office firefox@128 --deadline 48 --postponements 3 --quiet 08:00-12:00 --close firefox',
      'Asks people, and closes the browser after two days',
    ],
    ['muster deadline Office --remove --dry-run', 'Checks whether the deadline of the group could be removed'],
  ],
  operations: ['listGroupTree', 'listFleetPackages', 'getDistributionOptions', 'setDistributionOptions'],
  async run({ client, args, options, output }) {
    const group = await findGroup(client, args[0] ?? '')
    const chosen = args[1] === undefined ? undefined : await findPackage(client, args[1])
    const subject = chosen ? formatPackage(chosen) : 'All packages of the group'
    const query = chosen ? { packageId: chosen.id } : {}
    const wanted = parseDeadlineChange(options)
    const reading = client.GET('/api/group/{id}/distribution-options', { params: { path: { id: group.id }, query } })
    const { userDeadline, ...current } = await answerOf(reading)
    if (wanted === undefined) return output.result(userDeadline, `${subject}: ${formatDeadline(userDeadline)}.`)
    const { commands, schedule, revokeCount, wol, revokeDate, optionalDate, preDownload } = current
    const etag = (await reading).response.headers.get('etag')
    const changed = await answerOf(
      client.PUT('/api/group/{id}/distribution-options', {
        params: {
          path: { id: group.id },
          query: { ...query, ...changeQuery(options) },
          // Others may have changed the options since they were read.
          ...(etag !== null && { header: { 'If-Match': etag } }),
        },
        body: { commands, schedule, revokeCount, wol, revokeDate, optionalDate, preDownload, userDeadline: wanted },
      }),
    )
    const effect = options.dryRun ? 'would be' : 'is now'
    output.result(changed.userDeadline, `${subject}: the deadline ${effect} ${formatDeadline(changed.userDeadline)}.`)
  },
})
