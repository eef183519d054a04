import { answerOf, type components } from '@muster/client'
import { parse } from 'yaml'
import { type Call, changeQuery, command, dryRunOption, expectOption } from '../command.ts'
import { UsageError } from '../errors.ts'
import { isSameName } from '../names/choose.ts'
import { findComputer } from '../names/computers.ts'
import { findGroup, formatGroupPath } from '../names/groups.ts'
import { findPatchPolicy, type PatchPolicy } from '../names/patch-policies.ts'
import { formatCount } from '../output/counts.ts'
import type { Column } from '../output/output.ts'
import { formatTime, timeOf } from '../output/times.ts'
import { limited, parseLimit } from './lists.ts'
import { patchProgress } from './patch-progress.ts'
import { readTextFile } from './send-file.ts'

type Schemas = components['schemas']
type Rule = Schemas['PatchRule']
type Ruling = Schemas['ComputerPatchRuling']
type Rehearsal = Schemas['PatchRulesRehearsal']
type Ring = Schemas['PatchRing']
type Restart = Schemas['PatchRestart']
type PolicyFile = Schemas['CreatePatchPolicyRequest']

const policyArgument = ['<policy>', 'Name of the patch policy, or its id', 'patch policy'] as const
const fileArgument = [
  '<file>',
  'YAML or JSON with name, rules, and if you like description, priority, rings and restart; - is the standard input',
] as const

const columns: readonly Column<PatchPolicy>[] = [
  ['name', ({ name }) => name],
  ['priority', ({ priority }) => priority],
  ['rules', ({ rules }) => rules.map(({ name }) => name).join('; ')],
  ['groups', ({ assignmentCount }) => assignmentCount],
  ['changed', ({ changedAtUtc }) => timeOf(changedAtUtc)],
]

const list = command({
  name: 'patch-policies list',
  summary: 'List the patch policies, those that decide first at the top',
  examples: [['muster patch-policies list', 'What approves patches without a person']],
  operations: ['listPatchPolicies'],
  async run({ client, output }) {
    await output.rows(columns, client.pages('/api/patch-policies', { query: { top: 1_000 } }))
  },
})

const show = command({
  name: 'patch-policies show',
  summary: 'Show the rules of a patch policy, and the groups that have it',
  arguments: [policyArgument],
  examples: [['muster patch-policies show Workstations', 'Its rules in their order']],
  operations: ['listPatchPolicies', 'listPatchPolicyAssignments'],
  async run({ args, client, output }) {
    const policy = await findPatchPolicy(client, args[0] ?? '')
    const assignments = client.pages('/api/patch-policies/{id}/assignments', { path: { id: policy.id } })
    const groups: Schemas['PatchPolicyAssignment'][] = []
    for await (const assignment of assignments) groups.push(assignment)
    output.object({ ...policy, assignments: groups }, [
      ['Name', policy.name],
      ['Id', String(policy.id)],
      ['Description', policy.description],
      ['Priority', policy.priority],
      ['Rules', policy.rules.map((rule, at) => `${at + 1}. ${describeRule(rule)}`).join('\n')],
      ['Rings', policy.rings.map((ring, at) => `${at + 1}. ${describeRing(ring)}`).join('\n')],
      ['Restarts', policy.restart ? describeRestart(policy.restart) : 'none'],
      ['Groups', groups.map(({ groupPath, computerCount }) => `${groupPath} (${computerCount})`).join('\n')],
      ['Changed', formatTime(policy.changedAtUtc)],
    ])
  },
})

/** The rule as it is written in a file, on one line. */
function describeRule({ name, action, afterDays, ...conditions }: Rule): string {
  const does = action === 'Approve' ? `Approve after ${formatCount(afterDays ?? 0, 'day')}` : action
  const matches = Object.entries(conditions).map(([condition, value]) => `${condition} ${[value].flat().join('|')}`)
  return `${name}: ${does}; ${matches.join(', ') || 'all confirmed patches'}`
}

function describeRing({ name, groupId, percent, afterDays, gate }: Ring): string {
  const who = groupId ? `group ${groupId}` : percent ? `${percent} %` : 'everybody else'
  const days = afterDays > 0 ? `, ${formatCount(afterDays, 'day')} later` : ''
  return `${name}: ${who}${days}; until ${gate.minInstalledPercent} % have it, at most ${gate.maxFailedPercent} % failures`
}

function describeRestart({ windows, timeZone }: Restart): string {
  const times = windows.map(
    ({ days, start, durationMinutes }) =>
      `${days.join(', ')} from ${start} for ${formatCount(durationMinutes, 'minute')}`,
  )
  return `${times.join('; ')}, ${timeZone ?? 'by the clock of each computer'}`
}

const apply = command({
  name: 'patch-policies apply',
  summary: 'Create a patch policy from a file, or change the one with its name',
  description:
    'The first rule that matches a patch decides about it. What is released is installed after the next patch scan.',
  arguments: [fileArgument],
  options: [expectOption, dryRunOption],
  examples: [
    ['muster patch-policies apply workstations.yaml --dry-run', 'Shows how many computers have the policy'],
    ['muster patch-policies apply workstations.yaml --expect 500', 'Changes the rules of exactly 500 computers'],
  ],
  operations: ['listPatchPolicies', 'createPatchPolicy', 'updatePatchPolicy'],
  async run(call) {
    const { args, client, options, output } = call
    const { description = '', rings = [], restart = null, ...policy } = await readPolicy(call, args[0] ?? '')
    const known = await findByName(call, policy.name)
    const query = changeQuery(options)
    const answer = known
      ? await answerOf(
          client.PATCH('/api/patch-policies/{id}', {
            params: { path: { id: known.id }, query },
            body: { ...policy, description, rings, restart },
          }),
        )
      : await answerOf(
          client.POST('/api/patch-policies', { params: { query }, body: { ...policy, description, rings, restart } }),
        )
    const verb = options.dryRun ? 'would be' : 'is'
    output.result(answer, [
      `The patch policy ${answer.name} ${verb} ${known ? 'changed' : 'created'}, with ${formatCount(answer.rules.length, 'rule')}.`,
      ...(known ? [] : ['It is assigned to no group yet: muster patch-policies assign.']),
    ])
  },
})

async function findByName({ client }: Call, name: string): Promise<PatchPolicy | undefined> {
  for await (const policy of client.pages('/api/patch-policies', { query: { top: 1_000 } }))
    if (isSameName(policy.name, name)) return policy
  return undefined
}

/** The service checks the rules. */
async function readPolicy({ terminal }: Call, file: string): Promise<PolicyFile> {
  const policy = parse(await readTextFile(terminal, file)) as PolicyFile | null
  if (typeof policy?.name !== 'string') throw new UsageError(`${file} names no policy: it needs name and rules.`)
  return policy
}

const rehearsalColumns: readonly Column<Rehearsal['days'][number]>[] = [
  ['day', ({ day }) => day],
  ['patches', ({ patchCount }) => patchCount],
  ['computers', ({ computerCount }) => computerCount],
  ['lacking today', ({ lackingCount }) => lackingCount],
]

const rehearse = command({
  name: 'patch-policies rehearse',
  summary: 'Say what the rules of a file would have approved, and change nothing',
  arguments: [fileArgument],
  options: [
    ['--group <path>', 'Only computers in this group and below it', 'group'],
    ['--days <count>', 'How many days back; 90 by default'],
  ],
  examples: [
    ['muster patch-policies rehearse workstations.yaml --group Office', 'Per day, with the computers reached'],
  ],
  operations: ['rehearsePatchRules', 'listGroupTree'],
  async run(call) {
    const { args, client, options, output, terminal } = call
    const { rules } = await readPolicy(call, args[0] ?? '')
    const group = options.group === undefined ? undefined : await findGroup(client, String(options.group))
    const days = parseLimit(options.days) ?? 90
    const answer = await answerOf(
      client.POST('/api/patch-policies/rehearsal', { body: { rules, days, ...(group && { groupId: group.id }) } }),
    )
    if (output.format === 'json') return output.json(answer)
    terminal.note(
      `${answer.patchCount} ${answer.patchCount === 1 ? 'patch' : 'patches'} in ${formatCount(days, 'day')}, on ${answer.isEstimate ? 'about ' : ''}` +
        `${formatCount(answer.computerCount, 'computer')}; ${answer.undecidedCount} released in this time match no rule.\n`,
    )
    await output.rows(rehearsalColumns, answer.days)
  },
})

const groupArgument = ['<group>', 'Path of the group, or the end of it', 'group'] as const

const assign = command({
  name: 'patch-policies assign',
  summary: 'Assign a patch policy to a group of computers and those below it',
  arguments: [policyArgument, groupArgument],
  options: [expectOption, dryRunOption],
  examples: [['muster patch-policies assign Workstations Office --dry-run', 'Shows how many computers get the policy']],
  operations: ['listPatchPolicies', 'listGroupTree', 'assignPatchPolicy'],
  async run({ args, client, options, output }) {
    const { id, name } = await findPatchPolicy(client, args[0] ?? '')
    const group = await findGroup(client, args[1] ?? '')
    const answer = await answerOf(
      client.POST('/api/patch-policies/{id}/assignments', {
        params: { path: { id }, query: changeQuery(options) },
        body: { groupId: group.id },
      }),
    )
    const verb = options.dryRun ? 'would apply' : 'applies'
    output.result(answer, `${name} ${verb} to ${formatCount(answer.computerCount, 'computer')} of ${answer.groupPath}.`)
  },
})

const unassign = command({
  name: 'patch-policies unassign',
  summary: 'Remove the assignment of a patch policy',
  arguments: [policyArgument, groupArgument],
  options: [expectOption, dryRunOption],
  examples: [['muster patch-policies unassign Workstations Office', 'What is installed stays installed']],
  operations: ['listPatchPolicies', 'listGroupTree', 'removePatchPolicyAssignment'],
  async run({ args, client, options, output }) {
    const { id, name } = await findPatchPolicy(client, args[0] ?? '')
    const group = await findGroup(client, args[1] ?? '')
    await client.DELETE('/api/patch-policies/{id}/assignments/{groupId}', {
      params: { path: { id, groupId: group.id }, query: changeQuery(options) },
    })
    const verb = options.dryRun ? 'would no longer apply' : 'no longer applies'
    output.result({ policyId: id, groupId: group.id }, `${name} ${verb} to ${formatGroupPath(group)}.`)
  },
})

const remove = command({
  name: 'patch-policies delete',
  summary: 'Delete a patch policy with its assignments',
  arguments: [policyArgument],
  options: [expectOption, dryRunOption],
  examples: [['muster patch-policies delete Workstations --expect 500', 'Its rules apply to nobody any more']],
  operations: ['listPatchPolicies', 'deletePatchPolicy'],
  async run({ args, client, options, output }) {
    const { id, name } = await findPatchPolicy(client, args[0] ?? '')
    await client.DELETE('/api/patch-policies/{id}', { params: { path: { id }, query: changeQuery(options) } })
    output.result({ id, name }, `${name} ${options.dryRun ? 'would be' : 'is'} deleted.`)
  },
})

const rulingColumns: readonly Column<Ruling>[] = [
  ['patch', ({ patchName }) => patchName],
  ['product', ({ productName }) => productName],
  ['severity', ({ severity }) => severity],
  ['state', ({ state }) => state],
  ['from', ({ approvedUtc }) => timeOf(approvedUtc)],
  ['why', ({ message }) => message],
]

const rulings = command({
  name: 'patch-policies explain',
  summary: 'List the missing patches of a computer with what decides about each',
  arguments: [['<computer>', 'Name of the computer', 'computer']],
  options: [['--limit <count>', 'List at most this many']],
  examples: [['muster patch-policies explain pc-01', 'Which rule approved a patch, or from when on it does']],
  operations: ['listComputerPatchRulings', 'getComputer', 'searchComputers'],
  async run({ args, client, options, output }) {
    const { id } = await findComputer(client, args[0] ?? '')
    const found = client.pages('/api/computer/{id}/patch-rulings', { path: { id }, query: { top: 1_000 } })
    await output.rows(rulingColumns, limited(found, parseLimit(options.limit)))
  },
})

export const patchPolicies = [list, show, apply, rehearse, assign, unassign, remove, rulings, ...patchProgress]
