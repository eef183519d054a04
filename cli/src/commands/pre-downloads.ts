import { answerOf, type components } from '@muster/client'
import { type Call, changeQuery, command, dryRunOption, expectOption } from '../command.ts'
import { UsageError } from '../errors.ts'
import { findGroup, type PlacedGroup } from '../names/groups.ts'
import { findPackage, formatPackage, type PackageSummary } from '../names/packages.ts'
import { findRollout } from '../names/rollouts.ts'
import type { Column } from '../output/output.ts'
import { timeOf } from '../output/times.ts'

type PreDownload = components['schemas']['PreDownload']

const columns: readonly Column<PreDownload>[] = [
  ['package', ({ packageName }) => packageName],
  ['version', ({ version }) => version],
  ['ready', ({ ready, total }) => `${ready} of ${total}`],
  ['downloading', ({ fetching }) => fetching],
  ['failed', ({ failed }) => failed],
  ['not begun', ({ waiting }) => waiting],
  ['bytes', ({ bytes }) => bytes],
  ['first start', ({ earliestStartUtc }) => timeOf(earliestStartUtc)],
]

export const preDownloads = command({
  name: 'pre-downloads',
  summary: 'Show on how many computers packages are ready before their window opens, or download them ahead',
  description:
    'Without --on and --off, counts the computers whose work waits for its time. With one of them, changes the distribution options of the group, or of the package in it; the other options stay as they are.',
  arguments: [
    ['[path]', 'Path of the group that assigns the packages, or the end of it if that is unique', 'group'],
    ['[package]', 'Only this package; by default all packages of the group', 'package'],
  ],
  options: [
    ['--task <id>', 'Only work of this task'],
    ['--rollout <name>', 'Only work of this rollout', 'rollout'],
    ['--on', 'Computers of the group download the files before the window of the schedule opens'],
    ['--off', 'Computers of the group download the files when their work begins'],
    expectOption,
    dryRunOption,
  ],
  examples: [
    ['muster pre-downloads', 'Ready on how many computers, for the whole fleet'],
    ['muster pre-downloads Office firefox@128 --on', 'Downloads it ahead, from the next activation on'],
    ['muster pre-downloads --rollout "Firefox 128"', 'How far the rollout has come with it'],
  ],
  operations: [
    'listPreDownloads',
    'listGroupTree',
    'listFleetPackages',
    'listRollouts',
    'getDistributionOptions',
    'setDistributionOptions',
  ],
  async run(call) {
    const { client, args, options, output } = call
    const group = args[0] === undefined ? undefined : await findGroup(client, args[0])
    const chosen = args[1] === undefined ? undefined : await findPackage(client, args[1])
    const isChange = options.on === true || options.off === true
    if (isChange) return setPreDownload(call, group, chosen)
    const rollout = options.rollout === undefined ? undefined : await findRollout(client, String(options.rollout))
    const query = {
      ...(group && { groupId: group.id }),
      ...(chosen && { packageId: chosen.id }),
      ...(options.task !== undefined && { trackingId: String(options.task) }),
      ...(rollout && { rolloutId: rollout.rolloutId }),
    }
    await output.rows(columns, await answerOf(client.GET('/api/pre-downloads', { params: { query } })))
  },
})

async function setPreDownload(
  { client, options, output }: Call,
  group: PlacedGroup | undefined,
  chosen: PackageSummary | undefined,
): Promise<void> {
  if (!group) throw new UsageError('Name the group whose options are changed.')
  if (options.on === options.off) throw new UsageError('Choose either --on or --off.')
  const query = chosen ? { packageId: chosen.id } : {}
  const reading = client.GET('/api/group/{id}/distribution-options', { params: { path: { id: group.id }, query } })
  const { commands, schedule, revokeCount, wol, revokeDate, optionalDate, userDeadline } = await answerOf(reading)
  const etag = (await reading).response.headers.get('etag')
  const changed = await answerOf(
    client.PUT('/api/group/{id}/distribution-options', {
      params: {
        path: { id: group.id },
        query: { ...query, ...changeQuery(options) },
        // Others may have changed the options since they were read.
        ...(etag !== null && { header: { 'If-Match': etag } }),
      },
      body: {
        ...{ commands, schedule, revokeCount, wol, revokeDate, optionalDate, userDeadline },
        preDownload: options.on === true,
      },
    }),
  )
  const subject = chosen ? formatPackage(chosen) : 'All packages of the group'
  const effect = options.dryRun ? 'would be' : 'are from the next activation on'
  const how = changed.preDownload ? 'downloaded before their window opens' : 'downloaded when their work begins'
  output.result(changed, `${subject}: the files ${effect} ${how}.`)
}
