import { answerOf } from '@muster/client'
import { visibleLine } from '@muster/text'
import { changeQuery, command, dryRunOption } from '../command.ts'
import { UsageError } from '../errors.ts'
import { findComputer, fullName } from '../names/computers.ts'
import { findQuarantinedAgent, type QuarantinedAgent, reportedName } from '../names/quarantined-agents.ts'
import { parseHoursFromNow } from '../numbers.ts'
import type { Column } from '../output/output.ts'
import { formatTime, timeOf } from '../output/times.ts'

const columns: readonly Column<QuarantinedAgent>[] = [
  ['id', ({ id }) => `#${id}`],
  ['reported name', reportedName],
  ['computer', ({ hostname }) => hostname],
  ['matched by', ({ matchedBy }) => matchedBy.join(' ')],
  ['has an agent', ({ hasAgent }) => (hasAgent ? 'yes' : 'no')],
  [
    'candidates',
    ({ candidates }) => candidates.map(({ clientId, hostname }) => `${hostname} (#${clientId})`).join(', '),
  ],
  ['serial number', ({ reportedSerialNumber }) => reportedSerialNumber],
  ['agent', ({ agentKind, agentVersion }) => `${agentKind} ${agentVersion}`],
  ['address', ({ address }) => address],
  ['enrolled', ({ enrolledAtUtc }) => timeOf(enrolledAtUtc)],
]

const agentArgument = ['<agent>', 'Name that the agent reported, or # and its id in the list'] as const
const computerArgument = ['<computer>', 'Name of the computer, or # and its id', 'computer'] as const

const quarantine = command({
  name: 'agents quarantine',
  summary: 'List the agents in quarantine',
  description:
    'They claim to run on an existing computer, which they do not prove. They get nothing until somebody decides.',
  examples: [['muster agents quarantine', 'What they have in common with the computer that they claim']],
  operations: ['listQuarantinedAgents'],
  async run({ client, output }) {
    await output.rows(columns, client.pages('/api/quarantined-agents', { query: { top: 1_000 } }))
  },
})

const confirm = command({
  name: 'agents confirm',
  summary: 'Confirm that an agent in quarantine runs on its computer',
  description: 'A previous agent of the computer is shut out, and others that claim the computer are rejected.',
  arguments: [agentArgument],
  options: [['--computer <name>', 'The computer on which it runs, if several match', 'computer'], dryRunOption],
  examples: [
    ['muster agents confirm till-7', 'It gets the work of till-7 at its next contact'],
    ['muster agents confirm "#12" --computer till-8', 'If it matches several computers'],
  ],
  operations: ['listQuarantinedAgents', 'confirmQuarantinedAgent', 'getComputer', 'searchComputers'],
  async run({ args, client, options, output }) {
    const agent = await findQuarantinedAgent(client, args[0] ?? '')
    const chosen = options.computer === undefined ? undefined : await findComputer(client, String(options.computer))
    await client.POST('/api/quarantined-agents/{id}/confirmation', {
      params: { path: { id: agent.id }, query: changeQuery(options) },
      ...(chosen && { body: { clientId: chosen.id } }),
    })
    const clientId = chosen?.id ?? agent.clientId
    const isConfirmed = options.dryRun ? 'would be' : 'is'
    const computer = chosen ? fullName(chosen) : agent.hostname
    output.result({ id: agent.id, clientId }, `${reportedName(agent)} ${isConfirmed} the agent of ${computer}.`)
  },
})

const reject = command({
  name: 'agents reject',
  summary: 'Reject an agent in quarantine',
  arguments: [agentArgument],
  options: [dryRunOption],
  examples: [['muster agents reject till-7', 'Its credential is refused; the computer stays as it is']],
  operations: ['listQuarantinedAgents', 'rejectQuarantinedAgent'],
  async run({ args, client, options, output }) {
    const agent = await findQuarantinedAgent(client, args[0] ?? '')
    const { id } = agent
    await client.DELETE('/api/quarantined-agents/{id}', { params: { path: { id }, query: changeQuery(options) } })
    output.result({ id }, `${reportedName(agent)} ${options.dryRun ? 'would be' : 'is'} rejected.`)
  },
})

const reEnrol = command({
  name: 'agents re-enrol',
  summary: 'Create a code with which one agent may enrol for a computer, or withdraw it',
  description:
    'The code is written to the standard output, and is not shown again. It stands in place of an enrolment token, and replaces an ' +
    'earlier code. Until an agent enrols with it, the current agent stays.',
  arguments: [computerArgument],
  options: [
    ['--hours <count>', 'How long the code is valid: at most 24 hours, which is the default'],
    ['--withdraw', 'Withdraw the code instead'],
    dryRunOption,
  ],
  examples: [
    ['muster agents re-enrol pc-01 --hours 2', 'For a computer that was installed again'],
    ['muster agents re-enrol pc-01 --withdraw', 'The code is refused'],
  ],
  operations: ['getComputer', 'searchComputers', 'allowComputerReEnrolment', 'forbidComputerReEnrolment'],
  async run({ args, client, options, output, terminal }) {
    if (options.withdraw && options.hours !== undefined) throw new UsageError('--hours is for a new code.')
    const untilUtc = options.hours === undefined ? null : parseHoursFromNow(options.hours)
    const computer = await findComputer(client, args[0] ?? '')
    const params = { path: { id: computer.id }, query: changeQuery(options) }
    const name = fullName(computer)
    if (options.withdraw) {
      await client.DELETE('/api/computer/{id}/re-enrolment', { params })
      const effect = options.dryRun ? 'would be' : 'is'
      return output.result({ clientId: computer.id }, `The code of ${name} ${effect} withdrawn.`)
    }
    const answer = await answerOf(client.POST('/api/computer/{id}/re-enrolment', { params, body: { untilUtc } }))
    terminal.note(`Valid until ${visibleLine(formatTime(answer.untilUtc))}.\n`)
    output.result(answer, options.dryRun ? `A code for ${name} would be created.` : answer.code)
  },
})

const revoke = command({
  name: 'agents revoke',
  summary: 'Revoke the credential of the agent of a computer',
  description:
    'The agent is refused from its next request on, and neither it nor another can enrol without a code of re-enrolment.',
  arguments: [computerArgument],
  options: [dryRunOption],
  examples: [['muster agents revoke pc-01', 'For a computer that was stolen']],
  operations: ['getComputer', 'searchComputers', 'revokeAgentCredential'],
  async run({ args, client, options, output }) {
    const computer = await findComputer(client, args[0] ?? '')
    const { id } = computer
    await client.DELETE('/api/computer/{id}/agent', { params: { path: { id }, query: changeQuery(options) } })
    const effect = options.dryRun ? 'would be' : 'is'
    output.result({ clientId: id }, `The credential of the agent of ${fullName(computer)} ${effect} revoked.`)
  },
})

export const agents = [quarantine, confirm, reject, reEnrol, revoke]
