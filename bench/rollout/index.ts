import { availableParallelism } from 'node:os'
import { round } from '../round.ts'
import { withService } from '../service.ts'
import { reportTarget } from '../target.ts'
import { formatPhase, reportContacts } from './beside.ts'
import { processorSecondsIn } from './costs.ts'
import { measureRollout, type Rollout } from './measure.ts'
import { fleetSizes, packageCount, postgresSettings, targets } from './settings.ts'

const installations = 2_000_000

/** Rolls 20 packages out to fleets of several sizes, with contacts and readers beside it. */
export async function benchRollout(): Promise<void> {
  const rollouts: Rollout[] = []
  for (const computers of fleetSizes)
    await withService(
      async (service) => {
        const rollout = await measureRollout(service, computers)
        report(rollout)
        rollouts.push(rollout)
      },
      // A large rollout takes longer than a token is valid by default.
      { MUSTER_TOKEN_LIFETIME: '86400' },
      postgresSettings,
    )
  const [smallest, largest] = [rollouts[0], rollouts.at(-1)]
  if (!smallest || !largest || smallest === largest) return
  const growth = costPerItem(largest) / costPerItem(smallest)
  reportTarget(
    `cost of a work item with ${largest.computers} computers: ${round(growth)} of that with ${smallest.computers}, target at most ${targets.growth}`,
    growth <= targets.growth,
  )
}

/** With what contacts and readers cost beside it: what is left without them depends on how much that was before. */
const costPerItem = ({ grossWork, items }: Rollout) => processorSecondsIn(grossWork) / items

function report(rollout: Rollout): void {
  const { computers, items, activation, work, grossWork, copy, requests, reads } = rollout
  console.log(`\n${computers} computers with ${packageCount} packages each`)
  console.table(rollout.phases.map(formatPhase))
  console.table({
    activation: toRow(activation, items),
    'hand-out to result': toRow(work, items),
    'the same, with contacts and readers': toRow(grossWork, items),
  })
  const ratio = copy.seconds / activation.seconds
  reportTarget(
    `activation: ${copy.rows} rows in ${round(activation.seconds)} s, a plain copy of them in ${round(copy.seconds)} s: ${round(ratio)} of its rate, target ${targets.activation}`,
    ratio >= targets.activation,
  )
  const rate = 1 / costPerItem(rollout)
  reportTarget(
    `${Math.round(rate)} work items per processor second of service and database, target ${targets.itemsPerProcessorSecond}; ${round(requests / items)} requests per item`,
    rate >= targets.itemsPerProcessorSecond,
  )
  reportContacts(rollout.phases)
  reportTarget(`reads: ${reads.count}, p99 ${reads.p99} ms, ${reads.failed} failed, target 0`, reads.failed === 0)
  reportInstallations(rollout)
}

function toRow(costs: Rollout['work'], items: number) {
  return {
    seconds: round(costs.seconds),
    'items/s': Math.round(items / costs.seconds),
    'service, CPU s': round(costs.service),
    'database, CPU s': round(costs.database),
    'items per CPU s': Math.round(items / processorSecondsIn(costs)),
    'statements per item': round(costs.statements / items),
    'rows per item': round(costs.rows / items),
  }
}

function reportInstallations({ items, activation, work, grossWork }: Rollout): void {
  const minutes = (seconds: number) => round(((seconds / items) * installations) / 60)
  const processorMinutes = minutes(processorSecondsIn(activation) + processorSecondsIn(grossWork))
  console.log(
    `${installations / 1e6} million installations at this rate: ${minutes(activation.seconds)} minutes for the activation and ${minutes(work.seconds)} from hand-out to result, ${processorMinutes} minutes of processor time; the machine has ${availableParallelism()} cores and also runs the agents`,
  )
}
