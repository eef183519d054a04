import { answerOf, type components } from '@muster/client'
import { type Call, changeQuery, command, dryRunOption, type Parameter } from '../command.ts'
import { CommandFailure, UsageError } from '../errors.ts'
import { followTrial } from '../follow/follow-trial.ts'
import { findComputer } from '../names/computers.ts'
import { findPackage, formatPackage } from '../names/packages.ts'
import type { Column } from '../output/output.ts'
import { timeOf } from '../output/times.ts'

type Trial = components['schemas']['PackageTrial']
type Summary = components['schemas']['PackageTrialSummary']

const packageArgument: Parameter = ['<package>', 'Name of the package, with @version if there are several', 'package']
const idArgument: Parameter = ['<id>', 'Id of the trial, as `packages trials` shows it']

const tryPackage = command({
  name: 'packages try',
  summary: 'Install a package on one computer, then uninstall it',
  description:
    'Shows what both commands do, what the detection finds before and after, and what is left behind. Nothing is assigned, and the ' +
    'result stands on the package. With --wait, the command fails unless the trial succeeds.',
  arguments: [packageArgument],
  options: [
    ['--on <computer>', 'Name of the computer, or # and its id; it must not have the package', 'computer'],
    ['--wait', 'Wait for the end of the trial, and show its result'],
    dryRunOption,
  ],
  examples: [['muster packages try firefox@128 --on pc-0017 --wait', 'Tries it before it is deployed']],
  operations: [
    'listFleetPackages',
    'getComputer',
    'searchComputers',
    'createPackageTrial',
    'getPackageTrial',
    'streamEvents',
  ],
  async run(call) {
    const { args, client, options, output, terminal } = call
    if (options.on === undefined) throw new UsageError('--on names the computer on which to try the package.')
    const found = await findPackage(client, args[0] ?? '')
    const { id: computerId } = await findComputer(client, String(options.on))
    const trial = await answerOf(
      client.POST('/api/packages/{id}/trials', {
        params: { path: { id: found.id }, query: changeQuery(options) },
        body: { computerId },
      }),
    )
    const verb = options.dryRun ? 'would be' : 'is'
    if (options.dryRun || options.wait !== true)
      return output.result(trial, `${formatPackage(found)} ${verb} tried on ${trial.hostname}: trial ${trial.trialId}`)
    const ended = await followTrial(client, terminal, trial.trialId)
    showTrial(call, ended)
    if (ended.state !== 'Succeeded')
      throw new CommandFailure(`The trial ${ended.state === 'Failed' ? 'failed' : 'was cancelled'}.`)
  },
})

const columns: readonly Column<Summary>[] = [
  ['id', ({ trialId }) => trialId],
  ['state', ({ state }) => state],
  ['computer', ({ hostname }) => hostname],
  ['started', ({ startedAtUtc }) => timeOf(startedAtUtc)],
  ['by', ({ startedBy }) => startedBy],
  ['leftovers', ({ leftoverCount }) => leftoverCount],
  ['error', ({ errorText }) => errorText],
]

const listTrials = command({
  name: 'packages trials',
  summary: 'List the trials of a package',
  arguments: [packageArgument],
  examples: [['muster packages trials firefox@128', 'Where it was tried, and how that ended']],
  operations: ['listFleetPackages', 'listPackageTrials'],
  async run({ args, client, output }) {
    const path = { id: (await findPackage(client, args[0] ?? '')).id }
    await output.rows(columns, client.pages('/api/packages/{id}/trials', { path }))
  },
})

const showOne = command({
  name: 'packages trial',
  summary: 'Show a trial with its logs, detections and leftovers',
  arguments: [idArgument],
  examples: [['muster packages trial 3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11', 'What the commands printed']],
  operations: ['getPackageTrial'],
  async run(call) {
    const path = { id: call.args[0] ?? '' }
    showTrial(call, await answerOf(call.client.GET('/api/package-trials/{id}', { params: { path } })))
  },
})

const cancelTrial = command({
  name: 'packages cancel-trial',
  summary: 'Cancel a trial; what is installed already is uninstalled again',
  arguments: [idArgument],
  options: [dryRunOption],
  examples: [['muster packages cancel-trial 3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11', 'The computer does nothing more']],
  operations: ['cancelPackageTrial'],
  async run({ args, client, options, output }) {
    const params = { path: { id: args[0] ?? '' }, query: changeQuery(options) }
    const trial = await answerOf(client.POST('/api/package-trials/{id}/cancel', { params }))
    output.result(trial, `The trial on ${trial.hostname} ${options.dryRun ? 'would be' : 'is'} cancelled.`)
  },
})

function showTrial({ output }: Pick<Call, 'output'>, trial: Trial): void {
  output.object(trial, [
    ['State', trial.state],
    ['Package', [trial.packageName, trial.packageVersion].filter(Boolean).join(' ')],
    ['Computer', trial.hostname],
    ['Started', `${trial.startedAtUtc}, ${trial.startedBy}`],
    ['Waits', trial.blockers.map(({ message }) => message).join(' ') || undefined],
    ['Error', trial.errorText ?? undefined],
    ...trial.steps.flatMap(stepRows),
    ['Leftovers', trial.steps.length === 0 ? undefined : describeLeftovers(trial)],
  ])
}

type Row = [name: string, value: string | undefined]

function stepRows(step: Trial['steps'][number]): Row[] {
  const seconds = (Date.parse(step.finishedUtc) - Date.parse(step.startedUtc)) / 1_000
  const found = (isPresent: boolean | null) => (isPresent === null ? 'unknown' : isPresent ? 'yes' : 'no')
  return [
    [step.step, `exit code ${step.exitCode ?? 'none'}, ${seconds.toFixed(1)} s`],
    ['  Detected', `before: ${found(step.detectedBefore)}, after: ${found(step.detectedAfter)}`],
    ['  Command', step.commandLine ?? undefined],
    ['  Log', step.output.trimEnd() || undefined],
  ]
}

function describeLeftovers({ leftovers, leftoverCount, leftoversComplete }: Trial): string {
  const count = leftoverCount ?? 0
  const names = leftovers.map(({ kind, name }) => `${kind} ${name}`)
  const more = count > names.length ? [`and ${count - names.length} more`] : []
  const unknown = leftoversComplete ? [] : ['Not all places could be compared.']
  return [...(count === 0 && leftoversComplete ? ['none'] : names), ...more, ...unknown].join('\n')
}

export const packageTrials = [tryPackage, listTrials, showOne, cancelTrial]
