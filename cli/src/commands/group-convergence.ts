import { answerOf, type components } from '@muster/client'
import { type Call, changeQuery, command, dryRunOption, expectOption } from '../command.ts'
import { UsageError } from '../errors.ts'
import { findGroup, formatGroupPath, type PlacedGroup } from '../names/groups.ts'
import { parseCount } from '../numbers.ts'
import { timeOf } from '../output/times.ts'
import { parseRing } from './rings.ts'

type Convergence = components['schemas']['GroupConvergence']

const waits: Record<NonNullable<Convergence['waiting']>['code'], string> = {
  Comparing: 'its members are compared within two minutes',
  Frozen: 'until the freeze ends',
  WaveNeedsPerson: 'until a person resumes or cancels a wave',
  Refused: 'because the next wave was refused',
}

/** Whether the members are kept converged, in one line. */
export function describeConvergence({ state, isInherited, sourceGroupPath }: Convergence): string {
  return `${state}${isInherited && sourceGroupPath ? `, from ${sourceGroupPath}` : ''}`
}

function describeWaiting({ waiting }: Convergence): string | null {
  if (!waiting) return null
  const { code, rolloutId, problemCode } = waiting
  return [waits[code], rolloutId && `rollout ${rolloutId}`, problemCode].filter(Boolean).join(', ')
}

async function show({ client, output }: Call, group: PlacedGroup): Promise<void> {
  const answer = await answerOf(client.GET('/api/group/{id}/convergence', { params: { path: { id: group.id } } }))
  output.object(answer, [
    ['Path', formatGroupPath(group)],
    ['Convergence', describeConvergence(answer)],
    ['Rings', answer.rings?.map(describeRing).join(', ') ?? null],
    ['Expected computers', answer.expectedComputers && `${answer.expectedComputers} a day`],
    ['Removals without approval', answer.maxRemovals === null ? null : `${answer.maxRemovals} a day`],
    ['Open waves', answer.state === 'On' ? answer.openWaves : null],
    ['Last wave', answer.lastWaveAtUtc && timeOf(answer.lastWaveAtUtc)],
    ['Changes wait', describeWaiting(answer)],
  ])
}

const describeRing = ({ count, percent, groupId }: NonNullable<Convergence['rings']>[number]) =>
  count !== undefined
    ? String(count)
    : percent !== undefined
      ? `${percent}%`
      : groupId
        ? `group ${groupId}`
        : 'the rest'

async function set(call: Call, group: PlacedGroup, state: 'On' | 'Off'): Promise<void> {
  const { client, options, output } = call
  const limit = (name: string, option: string) =>
    options[name] === undefined ? {} : { [name]: parseCount(options[name], option) }
  const answer = await answerOf(
    client.PUT('/api/group/{id}/convergence', {
      params: { path: { id: group.id }, query: changeQuery(options) },
      body: {
        state,
        ...(options.rings !== undefined && { rings: [...(options.rings as string[]).map(parseRing), {}] }),
        ...limit('expectedComputers', '--expected-computers'),
        ...limit('maxRemovals', '--max-removals'),
      },
    }),
  )
  const are = options.dryRun ? 'would be' : 'are'
  const reach = state === 'On' ? `${are} kept converged` : `${are} no longer kept converged`
  output.result(answer, `The members of ${formatGroupPath(group)} ${reach}.`)
}

async function inherit({ client, options, output }: Call, group: PlacedGroup): Promise<void> {
  await answerOf(
    client.DELETE('/api/group/{id}/convergence', {
      params: { path: { id: group.id }, query: changeQuery(options) },
    }),
  )
  const has = options.dryRun ? 'would have' : 'has'
  output.result({ groupId: group.id }, `${formatGroupPath(group)} ${has} the setting of the groups above it.`)
}

export const groupConvergence = command({
  name: 'groups converge',
  summary: 'Show whether the members of a group are kept converged, or change it',
  description:
    'While it is on, what is assigned to the members becomes work without a deployment, ring by ring. Each change is a wave: ' +
    'a rollout that can be watched, paused and cancelled. The rest of the members is always the last ring.',
  arguments: [
    ['<path>', 'Path of the group, or the end of it if that is unique', 'group'],
    ['[state]', 'on, off, or inherit: as in the groups above it', ['on', 'off', 'inherit']],
  ],
  options: [
    ['--rings <sizes...>', 'With on: sizes of the rings before the rest; 10% by default'],
    ['--expected-computers <count>', 'With on: a wave beyond this many computers a day waits after its first ring'],
    ['--max-removals <count>', 'With on: removals from more computers a day need an approval'],
    expectOption,
    dryRunOption,
  ],
  examples: [
    ['muster groups converge Office/Berlin', 'Shows the setting, and why changes wait'],
    ['muster groups converge Office/Berlin on --rings 5 25%', 'Switches it on, with three rings'],
    ['muster groups converge Office/Berlin off', 'Switches it off, and cancels its waves'],
  ],
  operations: ['listGroupTree', 'getGroupConvergence', 'setGroupConvergence', 'removeGroupConvergence'],
  async run(call) {
    const [path = '', state] = call.args
    const isLimited = ['rings', 'expectedComputers', 'maxRemovals'].some((name) => call.options[name] !== undefined)
    if (isLimited && state !== 'on') throw new UsageError('Rings and limits can be given only with on.')
    const group = await findGroup(call.client, path)
    if (state === undefined) return show(call, group)
    if (state === 'inherit') return inherit(call, group)
    await set(call, group, state === 'on' ? 'On' : 'Off')
  },
})
