import { answerOf, type components } from '@muster/client'
import { type Call, changeQuery, command, dryRunOption, expectOption } from '../command.ts'
import { findPatchPolicy, type PatchPolicy } from '../names/patch-policies.ts'
import { findPatch } from '../names/patches.ts'
import type { Column } from '../output/output.ts'
import { timeOf } from '../output/times.ts'
import { limited, parseLimit } from './lists.ts'

type Schemas = components['schemas']
type Progress = Schemas['PatchProgress']
type Rollback = Schemas['PatchRollbackOfComputer']

const policyArgument = ['<policy>', 'Name of the patch policy, or its id', 'patch policy'] as const

const progressColumns: readonly Column<Progress>[] = [
  ['patch', ({ patchName }) => patchName],
  ['product', ({ productName }) => productName],
  ['state', ({ state }) => state],
  ['ring', ({ openRing, rings }) => (rings.length > 0 ? `${openRing}/${rings.length}` : '')],
  ['installed', ({ rings }) => rings.map(({ installed }) => installed).join(' ')],
  ['lacking', ({ rings }) => rings.map(({ lacking }) => lacking).join(' ')],
  ['failed', ({ rings }) => rings.map(({ failed }) => failed).join(' ')],
  ['next', ({ message }) => message],
]

const progressStates = ['Waiting', 'Open', 'Paused', 'Stopped', 'Completed'] as const

const progress = command({
  name: 'patch-policies progress',
  summary: 'List how far a patch policy has released its patches',
  description: 'The numbers are those of the rings in their order, at the last count.',
  arguments: [policyArgument],
  options: [
    ['--state <states...>', `Only these states: ${progressStates.join(', ')}`, progressStates],
    ['--limit <count>', 'List at most this many'],
  ],
  examples: [['muster patch-policies progress Workstations --state Paused', 'What waits for a person, and why']],
  operations: ['listPatchPolicies', 'listPatchPolicyProgress'],
  async run({ args, client, options, output }) {
    const { id } = await findPatchPolicy(client, args[0] ?? '')
    const state = options.state as Progress['state'][] | undefined
    const query = { top: 1_000, ...(state && { state }) }
    const found = client.pages('/api/patch-policies/{id}/progress', { path: { id }, query })
    await output.rows(progressColumns, limited(found, parseLimit(options.limit)))
  },
})

const patchArgument = ['<patch>', 'Name or number of the patch such as KB5034441, or # and its id'] as const
const reasonOption = ['--reason <text>', 'Why; explanations quote it'] as const

const pause = command({
  name: 'patch-policies pause',
  summary: 'Pause a patch of a patch policy: no further computer begins to install it',
  arguments: [policyArgument, patchArgument],
  options: [reasonOption, dryRunOption],
  examples: [
    ['muster patch-policies pause Workstations KB5034441 --reason "The vendor reports a problem"', 'No ring opens'],
  ],
  operations: ['listPatchPolicies', 'listFleetPatches', 'getPatch', 'pausePatchOfPolicy'],
  async run(call) {
    const { client, output, options } = call
    const { path, body, policy } = await findPatchOfPolicy(call)
    const answer = await answerOf(
      client.POST('/api/patch-policies/{id}/progress/{patchId}/pause', {
        params: { path, query: changeQuery(options) },
        body,
      }),
    )
    printProgress(output, answer, policy)
  },
})

const stop = command({
  name: 'patch-policies stop',
  summary: 'Stop a patch of a patch policy: the policy does not release it any more',
  description:
    'Computers that have the patch keep it, unless you roll it back: then those of the policy bring back the version before, where their ' +
    'package manager can. Repeated, that asks those again that could not. Resume ends the stop and the rollback.',
  arguments: [policyArgument, patchArgument],
  options: [reasonOption, ['--roll-back', 'Also roll it back where it is installed'], expectOption, dryRunOption],
  examples: [
    [
      'muster patch-policies stop Workstations KB5034441 --reason "The vendor withdrew it"',
      'Nobody gets it by the policy',
    ],
    [
      'muster patch-policies stop Workstations "openssl 3.0.16" --roll-back --expect 40',
      'The 40 computers that have it go back to the version before',
    ],
  ],
  operations: ['listPatchPolicies', 'listFleetPatches', 'getPatch', 'stopPatchOfPolicy'],
  async run(call) {
    const { client, output, options } = call
    const { path, body, policy } = await findPatchOfPolicy(call)
    const answer = await answerOf(
      client.POST('/api/patch-policies/{id}/progress/{patchId}/stop', {
        params: { path, query: changeQuery(options) },
        body: { ...body, ...(options.rollBack === true && { rollBack: true }) },
      }),
    )
    printProgress(output, answer, policy)
  },
})

const resume = command({
  name: 'patch-policies resume',
  summary: 'Resume a paused or stopped patch of a patch policy',
  arguments: [policyArgument, patchArgument],
  options: [expectOption, dryRunOption],
  examples: [['muster patch-policies resume Workstations KB5034441', 'Only failures from now on pause it again']],
  operations: ['listPatchPolicies', 'listFleetPatches', 'getPatch', 'resumePatchOfPolicy'],
  async run(call) {
    const { client, output, options } = call
    const { path, policy } = await findPatchOfPolicy(call)
    const answer = await answerOf(
      client.POST('/api/patch-policies/{id}/progress/{patchId}/resume', {
        params: { path, query: changeQuery(options) },
      }),
    )
    printProgress(output, answer, policy)
  },
})

const rollbackStates = ['Waiting', 'RolledBack', 'NotRolledBack'] as const

const rollbackColumns: readonly Column<Rollback>[] = [
  ['computer', ({ hostname }) => hostname],
  ['product', ({ productName }) => productName],
  ['state', ({ state }) => state],
  ['answered', ({ endedUtc }) => timeOf(endedUtc)],
  ['agent', ({ agentVersion }) => agentVersion],
  ['why', ({ message }) => message],
]

const rollbacks = command({
  name: 'patch-policies rollbacks',
  summary: 'List the computers that roll a stopped patch back, with what has become of it',
  arguments: [policyArgument, patchArgument],
  options: [
    ['--state <states...>', `Only these states: ${rollbackStates.join(', ')}`, rollbackStates],
    ['--limit <count>', 'List at most this many'],
  ],
  examples: [
    ['muster patch-policies rollbacks Workstations KB5034441 --state NotRolledBack', 'Which computers cannot, and why'],
  ],
  operations: ['listPatchPolicies', 'listFleetPatches', 'getPatch', 'listPatchRollbacks'],
  async run(call) {
    const { client, output, options } = call
    const { path } = await findPatchOfPolicy(call)
    const state = options.state as Rollback['state'][] | undefined
    const query = { top: 1_000, ...(state && { state }) }
    const found = client.pages('/api/patch-policies/{id}/progress/{patchId}/rollbacks', { path, query })
    await output.rows(rollbackColumns, limited(found, parseLimit(options.limit)))
  },
})

async function findPatchOfPolicy({ args, client, options }: Call) {
  const policy = await findPatchPolicy(client, args[0] ?? '')
  const { patchId } = await findPatch(client, args[1] ?? '')
  const body = options.reason === undefined ? {} : { reason: String(options.reason) }
  return { policy, path: { id: policy.id, patchId }, body }
}

const printProgress = (output: Call['output'], answer: Schemas['PatchProgressList'], { name }: PatchPolicy) =>
  output.result(
    answer,
    answer.items.map((item) => `${item.patchName} for ${item.productName} in ${name}: ${item.state}. ${item.message}`),
  )

export const patchProgress = [progress, pause, resume, stop, rollbacks]
