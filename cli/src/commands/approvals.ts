import { answerOf, type components, type MusterEvent } from '@muster/client'
import { readOperationWords } from '../api/operation-words.ts'
import { command, dryRunOption } from '../command.ts'
import { CommandFailure } from '../errors.ts'
import { findApproval } from '../names/requests.ts'
import { formatCount } from '../output/counts.ts'
import { type Column, formatLine } from '../output/output.ts'
import { timeOf } from '../output/times.ts'
import { limited, parseLimit } from './lists.ts'

type Approval = components['schemas']['Approval']

const states: readonly Approval['state'][] = ['Pending', 'Expired', 'Executed', 'Failed', 'Denied']

const columns: readonly Column<Approval>[] = [
  ['id', ({ approvalId }) => approvalId],
  ['state', ({ state }) => state],
  ['operation', ({ operation }) => operation],
  ['what', ({ subjects, target }) => subjects.map(({ name }) => name).join(', ') || target],
  ['computers', ({ computerCount }) => computerCount],
  ['requested by', ({ requesterName }) => requesterName],
  ['requested', ({ requestedAtUtc }) => timeOf(requestedAtUtc)],
  ['expires', ({ expiresAtUtc }) => timeOf(expiresAtUtc)],
]

const eventColumns: readonly Column<MusterEvent>[] = [
  ['time', ({ time }) => timeOf(time)],
  ['event', ({ type }) => type.replace('muster.approval.', '')],
  ['id', ({ data }) => String(data.approvalId)],
  ['operation', ({ data }) => String(data.operation)],
  [
    'what',
    ({ data }) => (data.subjects as { name: string }[]).map(({ name }) => name).join(', ') || String(data.target),
  ],
  ['computers', ({ data }) => Number(data.computers)],
  ['requested by', ({ data }) => String(data.requesterName)],
  ['result', ({ data }) => (data.problemCode ?? data.state ?? data.decidedBy) as string | undefined],
]

const idArgument = ['<request>', 'Its id, the beginning of it, or the name of what it affects'] as const

const list = command({
  name: 'approvals list',
  summary: 'List requests that wait for a second administrator, or follow them',
  description: 'Administrators see all requests, others their own. Only administrators can follow them.',
  options: [
    ['--state <state>', `${states.join(', ')}; Pending by default`, states],
    ['--follow', 'Write what happens to requests until you press Ctrl+C; one line for each event'],
    ['--limit <count>', 'List at most this many, 50 by default; with --follow, end after this many'],
  ],
  examples: [
    ['muster approvals list', 'What waits for a decision'],
    ['muster approvals list --follow', 'Requests and decisions as they happen'],
  ],
  operations: ['listApprovals', 'streamEvents'],
  async run({ client, options, output, terminal }) {
    const limit = parseLimit(options.limit)
    if (options.follow) {
      const followed = client.follow({ types: ['muster.approval.*'], signal: terminal.signal })
      for await (const event of limited(followed, limit))
        terminal.write(output.format === 'json' ? `${JSON.stringify(event)}\n` : formatLine(eventColumns, event))
      return
    }
    const query = { state: (options.state ?? 'Pending') as Approval['state'] }
    await output.rows(columns, limited(client.pages('/api/approvals', { query }), limit ?? 50))
  },
})

const show = command({
  name: 'approvals show',
  summary: 'Show a request with the names of what it affects',
  arguments: [idArgument],
  examples: [
    ['muster approvals show 3f0c9a52', 'Groups, packages and computers'],
    ['muster approvals show Office/Berlin', 'The request that waits about this group'],
  ],
  operations: ['listApprovals', 'getApproval'],
  async run({ args, client, output }) {
    const approval = await answerOf(
      client.GET('/api/approvals/{id}', { params: { path: { id: await findApproval(client, args[0] ?? '') } } }),
    )
    const wordsOf = await readOperationWords(client)
    output.object(approval, [
      ['State', approval.state],
      ['What', wordsOf(approval.operation)],
      ['Operation', `${approval.operation} ${approval.target}`],
      ...approval.subjects.map((subject) => [subject.kind, nameThenAndNow(subject)] as const),
      ['Computers', describeComputers(approval)],
      ...approval.content.map((line) => ['They get', line] as const),
      ['Requested by', `${approval.requesterName}, ${approval.requestedAtUtc}`],
      ['Expires', approval.expiresAtUtc],
      ['Decided by', approval.decidedBy ?? undefined],
      ['Problem', approval.problemCode ?? undefined],
      ['Request', JSON.stringify(approval.request)],
    ])
  },
})

type Named = { name: string; currentName: string | null }

function nameThenAndNow({ name, currentName }: Named): string {
  if (currentName === name) return name
  return `${name} (${currentName === null ? 'deleted since' : `now ${currentName}`})`
}

function describeComputers({ computerCount, firstComputers }: Approval): string {
  const others = computerCount - firstComputers.length
  if (firstComputers.length === 0) return String(computerCount)
  const names = firstComputers.map(nameThenAndNow).join(', ')
  return `${computerCount}: ${names}${others > 0 ? ` and ${others} more` : ''}`
}

const approve = command({
  name: 'approvals approve',
  summary: 'Approve a request and carry it out',
  description:
    'Only the computers that the request affected when it was made are affected, and they get nothing other than what they would have got then.',
  arguments: [idArgument],
  options: [dryRunOption],
  examples: [
    ['muster approvals approve 3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11 --dry-run', 'Shows whether it would succeed'],
  ],
  operations: ['listApprovals', 'approveRequest'],
  async run({ args, client, options, output }) {
    const approval = await answerOf(
      client.POST('/api/approvals/{id}', {
        params: {
          path: { id: await findApproval(client, args[0] ?? '') },
          query: options.dryRun === true ? { dryRun: true } : {},
        },
      }),
    )
    const { computerCount, operation, problemCode } = approval
    const wordsOf = await readOperationWords(client)
    const what = `“${wordsOf(operation)}” for ${formatCount(computerCount, 'computer')}`
    if (problemCode !== null) throw new CommandFailure(`${what} failed: ${problemCode}. Nothing was changed.`)
    output.result(approval, `${what} ${options.dryRun ? 'would be' : 'is'} carried out.`)
  },
})

const deny = command({
  name: 'approvals deny',
  summary: 'Deny a request, or withdraw your own',
  arguments: [idArgument],
  options: [dryRunOption],
  examples: [['muster approvals deny 3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11', 'Nothing is changed']],
  operations: ['listApprovals', 'denyRequest'],
  async run({ args, client, options, output }) {
    const approval = await answerOf(
      client.DELETE('/api/approvals/{id}', {
        params: {
          path: { id: await findApproval(client, args[0] ?? '') },
          query: options.dryRun === true ? { dryRun: true } : {},
        },
      }),
    )
    const wordsOf = await readOperationWords(client)
    output.result(approval, `“${wordsOf(approval.operation)}” ${options.dryRun ? 'would be' : 'is'} denied.`)
  },
})

export const approvals = [list, show, approve, deny]
