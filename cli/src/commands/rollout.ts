import { answerOf, type components } from '@muster/client'
import { type Call, changeQuery, command, dryRunOption, expectOption } from '../command.ts'
import { UsageError } from '../errors.ts'
import { describeRollout, followRollout } from '../follow/follow-rollout.ts'
import { findGroup } from '../names/groups.ts'
import { findPackage } from '../names/packages.ts'
import { findRollout } from '../names/rollouts.ts'
import { formatCount } from '../output/counts.ts'
import type { Column } from '../output/output.ts'
import { timeOf } from '../output/times.ts'
import { deadlineOptions, parseDeadline } from './deadline-options.ts'
import { limited, parseLimit } from './lists.ts'
import { parseRing } from './rings.ts'
import { rolloutDeadline } from './rollout-deadline.ts'

type Rollout = components['schemas']['Rollout']
type Summary = components['schemas']['RolloutSummary']

const columns: readonly Column<Summary>[] = [
  ['name', ({ name }) => name],
  ['state', ({ state }) => state],
  ['group', ({ groupPath }) => groupPath],
  ['package', ({ packageName }) => packageName],
  ['ring', ({ openRing, ringCount }) => `${openRing ?? '–'}/${ringCount}`],
  ['succeeded', ({ succeededCount, computerCount }) => `${succeededCount}/${computerCount}`],
  ['failed', ({ failedCount }) => failedCount],
  ['retrying', ({ retryingCount }) => retryingCount],
  ['created', ({ createdAtUtc }) => timeOf(createdAtUtc)],
]

const nameArgument = ['<rollout>', 'Name of the rollout, or its id', 'rollout'] as const

const states = ['Running', 'Paused', 'CatchingUp', 'Completed', 'Cancelled']

const list = command({
  name: 'rollout list',
  summary: 'List rollouts, newest first',
  options: [
    ['--state <state>', 'Running, Paused, CatchingUp, Completed or Cancelled', states],
    ['--waves', 'Only waves that keep a group converged'],
    ['--limit <count>', 'List at most this many; 50 by default'],
  ],
  examples: [['muster rollout list --state Paused', 'Rollouts that wait for a decision']],
  operations: ['listRollouts'],
  async run({ client, options, output }) {
    const query = {
      ...(options.state !== undefined && { state: options.state as Summary['state'] }),
      ...(options.waves === true && { isWave: true }),
    }
    await output.rows(columns, limited(client.pages('/api/rollouts', { query }), parseLimit(options.limit) ?? 50))
  },
})

const start = command({
  name: 'rollout start',
  summary: 'Bring what a group has assigned to its computers, ring by ring',
  description: 'Rings are numbers of computers or percentages: --rings 5 10% 100%. The last one should be 100%.',
  arguments: [['<name>', 'Name of the new rollout']],
  options: [
    ['--group <path>', 'The group whose computers get the software', 'group'],
    ['--package <name>', 'Only this package; by default everything that is assigned', 'package'],
    ['--rings <sizes...>', 'Sizes of the rings; 1% 10% 100% by default'],
    ...deadlineOptions,
    ['--watch', 'Follow the rollout until it ends or pauses'],
    expectOption,
    dryRunOption,
  ],
  examples: [
    ['muster rollout start "Firefox 128" --group Office --package firefox@128 --dry-run', 'Shows the rings'],
    ['muster rollout start "Firefox 128" --group Office --package firefox@128 --rings 5 25% 100% --watch', 'Starts it'],
    [
      'muster rollout start "Firefox 128" --group Office --deadline 48 --postponements 3 --close firefox',
      'Asks people, and closes their browser after two days',
    ],
  ],
  operations: [
    'createRollout',
    'listGroupTree',
    'listFleetPackages',
    'getRollout',
    'listRolloutComputers',
    'streamEvents',
  ],
  async run({ args, client, options, output, terminal }) {
    if (options.group === undefined) throw new UsageError('Name the group with --group.')
    const group = await findGroup(client, String(options.group))
    const chosen = options.package === undefined ? undefined : await findPackage(client, String(options.package))
    const rollout = await answerOf(
      client.POST('/api/rollouts', {
        params: { query: changeQuery(options) },
        body: {
          name: args[0] ?? '',
          groupId: group.id,
          packageId: chosen?.id ?? null,
          rings: ((options.rings as string[] | undefined) ?? ['1%', '10%', '100%']).map(parseRing),
          emergency: false,
          allowLastOfSite: false,
          userDeadline: parseDeadline(options),
        },
      }),
    )
    output.result(rollout, describeRings(rollout, options.dryRun === true))
    if (options.watch && !options.dryRun) await followRollout(client, terminal, rollout.rolloutId)
  },
})

function describeRings({ name, computerCount, rings }: Rollout, isDryRun: boolean): string[] {
  const reach = `${formatCount(computerCount, 'computer')} in ${formatCount(rings.length, 'ring')}`
  const lines = rings.map(
    (ring) =>
      `  ${describeRing(ring)}: ${formatCount(ring.computers.total, 'computer')}, ${describeWork(ring.plannedWorkItems)}`,
  )
  return [`${name} ${isDryRun ? 'would reach' : 'reaches'} ${reach}:`, ...lines]
}

const describeWork = (items: number) => (items === 0 ? 'nothing to do' : formatCount(items, 'work item'))

/** Rings that nobody has named are named by their number. */
const describeRing = ({ ring, name }: { ring: number; name: string }) =>
  name === String(ring) ? `Ring ${ring}` : `Ring ${ring}, ${name}`

const watch = command({
  name: 'rollout watch',
  summary: 'Follow a rollout until it ends or pauses',
  arguments: [nameArgument],
  examples: [['muster rollout watch "Firefox 128"', 'Exits with 1 if it pauses or computers fail, and names them']],
  operations: ['listRollouts', 'getRollout', 'listRolloutComputers', 'streamEvents'],
  async run({ args, client, output, terminal }) {
    const { rolloutId } = await findRollout(client, args[0] ?? '')
    const rollout = await followRollout(client, terminal, rolloutId)
    output.result(rollout, `${rollout.name}: ${describeRollout(rollout)}`)
  },
})

const pause = command({
  name: 'rollout pause',
  summary: 'Pause a rollout',
  arguments: [nameArgument],
  options: [['--reason <text>', 'Why, for the others'], dryRunOption],
  examples: [['muster rollout pause "Firefox 128" --reason "Waits for the vendor"', 'No further computers get it']],
  operations: ['listRollouts', 'pauseRollout'],
  run: (call) =>
    change(call, 'paused', (id) =>
      call.client.POST('/api/rollouts/{id}/pause', {
        params: { path: { id }, query: dryRunOf(call) },
        body: { reason: (call.options.reason as string | undefined) ?? null },
      }),
    ),
})

const resume = command({
  name: 'rollout resume',
  summary: 'Resume a paused rollout',
  arguments: [nameArgument],
  options: [expectOption, dryRunOption],
  examples: [['muster rollout resume "Firefox 128"', 'Continues where it stopped']],
  operations: ['listRollouts', 'resumeRollout'],
  run: (call) =>
    change(call, 'resumed', (id) =>
      call.client.POST('/api/rollouts/{id}/resume', { params: { path: { id }, query: changeQuery(call.options) } }),
    ),
})

const cancel = command({
  name: 'rollout cancel',
  summary: 'Cancel a rollout',
  arguments: [nameArgument],
  options: [dryRunOption],
  examples: [['muster rollout cancel "Firefox 128"', 'Computers that have it keep it; the others do not get it']],
  operations: ['listRollouts', 'cancelRollout'],
  run: (call) =>
    change(call, 'cancelled', (id) =>
      call.client.POST('/api/rollouts/{id}/cancel', { params: { path: { id }, query: dryRunOf(call) } }),
    ),
})

const retry = command({
  name: 'rollout retry',
  summary: 'Retry what has failed in a rollout',
  description: 'A paused rollout does so once it is resumed.',
  arguments: [nameArgument],
  options: [expectOption, dryRunOption],
  examples: [['muster rollout retry "Firefox 128" --expect 3', 'If it failed on 3 computers']],
  operations: ['listRollouts', 'retryRollout'],
  run: (call) =>
    change(call, 'retried where it failed', (id) =>
      call.client.POST('/api/rollouts/{id}/retry', { params: { path: { id }, query: changeQuery(call.options) } }),
    ),
})

const dryRunOf = ({ options }: Call) => (options.dryRun === true ? { dryRun: true } : {})

type Change = (id: string) => Promise<{ data?: Rollout; response: Response }>

async function change({ args, client, options, output }: Call, effect: string, send: Change): Promise<void> {
  const { rolloutId } = await findRollout(client, args[0] ?? '')
  const rollout = await answerOf(send(rolloutId))
  output.result(rollout, `${rollout.name} ${options.dryRun ? 'would be' : 'is'} ${effect}.`)
}

export const rollout = [list, start, watch, rolloutDeadline, pause, resume, retry, cancel]
