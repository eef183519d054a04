import { answerOf } from '@muster/client'
import { command } from '../command.ts'
import { findComputer } from '../names/computers.ts'
import { findPackage } from '../names/packages.ts'
import { formatPreDownload } from '../output/pre-downloads.ts'
import { formatNextContact, formatTime } from '../output/times.ts'

const requirementStates = {
  Met: 'installed, or comes through an assignment',
  Pulled: 'is pulled in',
  Awaited: 'missing, and the package waits for it; import the package again to have it pulled in',
  NotApplicable: 'not for this computer',
  Unknown: 'no package has this name',
}

export const explain = command({
  name: 'explain',
  summary: 'Explain why a computer has, lacks or waits for a package',
  arguments: [
    ['<computer>', 'Name of the computer', 'computer'],
    ['<package>', 'Name of the package, with @version if there are several', 'package'],
  ],
  examples: [['muster explain pc-01 firefox@128', 'What it waits for, and until when']],
  operations: ['explainComputer', 'getComputer', 'searchComputers', 'listFleetPackages'],
  async run({ args, client, output }) {
    const [computerName = '', packageName = ''] = args
    const [{ id }, chosen] = await Promise.all([findComputer(client, computerName), findPackage(client, packageName)])
    const explanation = await answerOf(
      client.GET('/api/computer/{id}/explain', { params: { path: { id }, query: { packageId: chosen.id } } }),
    )
    const { verdict, message, nextRunUtc, nextContactUtc, connectedNow, blockers, sources, work } = explanation
    const { failure, cancellation, rollouts, notices, otherVersions, requirements, requiredBy } = explanation
    output.object(explanation, [
      ['Verdict', `${verdict}: ${message}`],
      ['Next attempt', nextRunUtc ? formatTime(nextRunUtc) : undefined],
      ['Next contact', formatNextContact(nextContactUtc, connectedNow)],
      ...blockers.map(
        (one) => ['Waits', `${one.message}${one.untilUtc ? ` (until ${formatTime(one.untilUtc)})` : ''}`] as const,
      ),
      ...sources.map(
        (one) =>
          [
            one.beatenBy ? 'Assigned, without effect' : 'Assigned',
            `${one.groupPath ?? one.objectName ?? one.kind}${one.beatenBy ? ` (${one.beatenBy})` : ''}`,
          ] as const,
      ),
      ['Work', work ? `${work.kind}, ${work.state}, attempt ${work.attempt}, task ${work.trackingId}` : undefined],
      ['Downloaded ahead', work?.preDownload ? formatPreDownload(work.preDownload) : undefined],
      ['Failure', failure ? `${formatTime(failure.failedUtc)} ${failure.errorText ?? ''}` : undefined],
      ['Cancelled', cancellation ? `${formatTime(cancellation.cancelledUtc)} ${cancellation.message}` : undefined],
      ...rollouts.map((one) => ['Rollout', `${one.name}, ring ${one.ring}: ${one.ringState}`] as const),
      ...requirements.map((one) => ['Requires', `${one.name}: ${requirementStates[one.state]}`] as const),
      ...requiredBy.map(
        (one) => ['Required by', `${one.name}${one.version ? ` ${one.version}` : ''} in ${one.groupPath}`] as const,
      ),
      ...notices.map((one) => ['Notice', one.message] as const),
      ...otherVersions.map(
        (one) =>
          [
            'Other version',
            `${one.version}${one.installed ? ', installed' : ''}${one.assigned ? ', assigned' : ''}`,
          ] as const,
      ),
    ])
  },
})
