import { answerOf, type components } from '@muster/client'
import { type Call, changeQuery, command, dryRunOption } from '../command.ts'
import { CommandFailure, UsageError } from '../errors.ts'
import { findComputer } from '../names/computers.ts'
import { findWebhook, type Webhook } from '../names/webhooks.ts'
import type { Column } from '../output/output.ts'
import { formatTime, timeOf } from '../output/times.ts'
import { limited, parseLimit } from './lists.ts'

type Delivery = components['schemas']['WebhookDelivery']

const columns: readonly Column<Webhook>[] = [
  ['name', ({ name }) => name],
  ['address', ({ url }) => url],
  ['types', ({ types }) => types.join(' ') || 'all'],
  ['paused', ({ isPaused }) => (isPaused ? 'yes' : 'no')],
  ['failures', ({ failures }) => failures],
  ['next attempt', ({ nextAttemptAtUtc }) => timeOf(nextAttemptAtUtc)],
  ['reason', ({ pauseReason }) => pauseReason],
]

const deliveryColumns: readonly Column<Delivery>[] = [
  ['time', ({ attemptedAtUtc }) => timeOf(attemptedAtUtc)],
  ['position', ({ position }) => position],
  ['event', ({ type }) => type],
  ['attempt', ({ attempt }) => attempt],
  ['answer', ({ status }) => status],
  ['milliseconds', ({ durationMs }) => durationMs],
  ['error', ({ error }) => error],
]

const nameArgument = ['<webhook>', 'Name of the webhook, or its id', 'webhook'] as const
const typesOption = ['--types <types...>', 'Types of events, such as muster.rollout.*; all by default'] as const

const list = command({
  name: 'webhooks list',
  summary: 'List the webhooks',
  examples: [['muster webhooks list', 'Where events are posted, and what fails']],
  operations: ['listWebhooks'],
  async run({ client, output }) {
    await output.rows(columns, client.pages('/api/webhooks', { query: { top: 1_000 } }))
  },
})

const show = command({
  name: 'webhooks show',
  summary: 'Show a webhook',
  arguments: [nameArgument],
  examples: [['muster webhooks show "Failures to chat"', 'Its events, and how far it has delivered them']],
  operations: ['listWebhooks'],
  async run({ args, client, output }) {
    const webhook = await findWebhook(client, args[0] ?? '')
    output.object(webhook, [
      ['Name', webhook.name],
      ['Id', webhook.id],
      ['Address', webhook.url],
      ['Types', webhook.types.join(' ') || 'all that its principal may see'],
      ['Computer', webhook.computerId === null ? undefined : `#${webhook.computerId}`],
      ['Principal', webhook.principalId],
      ['Paused', webhook.isPaused ? (webhook.pauseReason ?? 'yes') : 'no'],
      ['Delivered up to', webhook.position],
      ['Failures', webhook.failures],
      ['Failing since', webhook.failingSinceUtc && formatTime(webhook.failingSinceUtc)],
      ['Next attempt', webhook.nextAttemptAtUtc && formatTime(webhook.nextAttemptAtUtc)],
    ])
  },
})

const create = command({
  name: 'webhooks create',
  summary: 'Create a webhook',
  description:
    'The secret that signs the messages is written to the standard output, and is not shown again. Your roles decide which events are sent.',
  arguments: [
    ['<name>', 'Name of the new webhook'],
    ['<url>', 'Where events are posted to'],
  ],
  options: [typesOption, ['--computer <name>', 'Only events about this computer', 'computer'], dryRunOption],
  examples: [
    [
      'muster webhooks create "Failures to chat" https://bridge.example.org/muster --types muster.deployment.failed',
      'From now on',
    ],
  ],
  operations: ['createWebhook', 'getComputer', 'searchComputers'],
  async run({ args: [name = '', url = ''], client, options, output }) {
    const computer = options.computer === undefined ? undefined : await findComputer(client, String(options.computer))
    const answer = await answerOf(
      client.POST('/api/webhooks', {
        params: { query: changeQuery(options) },
        body: {
          name,
          url,
          ...(options.types !== undefined && { types: options.types as string[] }),
          ...(computer && { computerId: computer.id }),
        },
      }),
    )
    if (options.dryRun) return output.result(answer, `The webhook ${name} would be created.`)
    output.object(answer, [
      ['Id', answer.id],
      ['Secret', answer.secret],
    ])
  },
})

const update = command({
  name: 'webhooks update',
  summary: 'Change, pause or continue a webhook',
  description: 'One that continues delivers at once what happened in the meantime.',
  arguments: [nameArgument],
  options: [
    ['--name <name>', 'Its new name'],
    ['--url <url>', 'Where events are posted to'],
    ['--types <types...>', 'Types of events, such as muster.rollout.*'],
    ['--all-types', 'All types that its principal may see'],
    ['--pause', 'Send nothing until it continues'],
    ['--continue', 'Continue after a pause'],
    dryRunOption,
  ],
  examples: [
    ['muster webhooks update "Failures to chat" --pause', 'While the receiver is repaired'],
    ['muster webhooks update "Failures to chat" --types muster.deployment.failed muster.rollout.*', 'Other events'],
  ],
  operations: ['listWebhooks', 'updateWebhook'],
  async run(call) {
    const { args, client, options, output } = call
    const body = readChanges(call)
    const { id, name } = await findWebhook(client, args[0] ?? '')
    const answer = await answerOf(
      client.PATCH('/api/webhooks/{id}', { params: { path: { id }, query: changeQuery(options) }, body }),
    )
    output.result(answer, `${name} ${options.dryRun ? 'would be' : 'is'} ${describeChange(body)}.`)
  },
})

type Changes = components['schemas']['UpdateWebhookRequest']

function readChanges({ options }: Call): Changes {
  if (options.pause && options.continue) throw new UsageError('Choose one of --pause and --continue.')
  if (options.types !== undefined && options.allTypes) throw new UsageError('Choose one of --types and --all-types.')
  const changes: Changes = {
    ...(options.name !== undefined && { name: String(options.name) }),
    ...(options.url !== undefined && { url: String(options.url) }),
    ...(options.types !== undefined && { types: options.types as string[] }),
    ...(options.allTypes === true && { types: [] }),
    ...(options.pause === true && { isPaused: true }),
    ...(options.continue === true && { isPaused: false }),
  }
  if (Object.keys(changes).length === 0) throw new UsageError('Name what is to be changed, such as --pause or --url.')
  return changes
}

function describeChange({ isPaused, ...others }: Changes): string {
  if (isPaused === undefined || Object.keys(others).length > 0) return 'changed'
  return isPaused ? 'paused' : 'continued'
}

const remove = command({
  name: 'webhooks delete',
  summary: 'Delete a webhook with its log of deliveries',
  arguments: [nameArgument],
  options: [dryRunOption],
  examples: [['muster webhooks delete "Failures to chat"', 'Nothing is sent any more']],
  operations: ['listWebhooks', 'deleteWebhook'],
  async run({ args, client, options, output }) {
    const { id, name } = await findWebhook(client, args[0] ?? '')
    await client.DELETE('/api/webhooks/{id}', { params: { path: { id }, query: changeQuery(options) } })
    output.result({ id, name }, `${name} ${options.dryRun ? 'would be' : 'is'} deleted.`)
  },
})

const test = command({
  name: 'webhooks test',
  summary: 'Send a test event to a webhook, and show what became of it',
  description: 'It is sent also while the webhook is paused. A receiver that does not accept it is a failure.',
  arguments: [nameArgument],
  examples: [['muster webhooks test "Failures to chat"', 'Exits with 1 if the receiver does not accept it']],
  operations: ['listWebhooks', 'testWebhook'],
  async run({ args, client, output }) {
    const { id, name } = await findWebhook(client, args[0] ?? '')
    const answer = await answerOf(client.POST('/api/webhooks/{id}/test', { params: { path: { id } } }))
    const { durationMs, error, status } = answer
    if (error !== null) throw new CommandFailure(`${name} did not accept the test event: ${error}`)
    output.result(answer, `${name} answered with ${status} after ${durationMs} ms.`)
  },
})

const deliveries = command({
  name: 'webhooks deliveries',
  summary: 'List the last deliveries of a webhook, newest first',
  arguments: [nameArgument],
  options: [['--limit <count>', 'List at most this many; 50 by default']],
  examples: [['muster webhooks deliveries "Failures to chat"', 'What was sent, and what the receiver answered']],
  operations: ['listWebhooks', 'listWebhookDeliveries'],
  async run({ args, client, options, output }) {
    const limit = parseLimit(options.limit) ?? 50
    const { id } = await findWebhook(client, args[0] ?? '')
    await output.rows(deliveryColumns, limited(client.pages('/api/webhooks/{id}/deliveries', { path: { id } }), limit))
  },
})

const replay = command({
  name: 'webhooks replay',
  summary: 'Deliver events again from a position',
  description: 'Receivers recognise events that they know by `webhook-id`.',
  arguments: [nameArgument, ['<position>', 'Deliver the events after this position, as the deliveries show it']],
  options: [dryRunOption],
  examples: [['muster webhooks replay "Failures to chat" 4711', 'What came after event 4711']],
  operations: ['listWebhooks', 'replayWebhook'],
  async run({ args: [name = '', after = ''], client, options, output }) {
    const { id, name: fullName } = await findWebhook(client, name)
    const answer = await answerOf(
      client.POST('/api/webhooks/{id}/replay', {
        params: { path: { id }, query: changeQuery(options) },
        body: { after },
      }),
    )
    const effect = options.dryRun ? 'would deliver' : 'delivers'
    output.result(answer, `${fullName} ${effect} the events after ${after} again.`)
  },
})

const rotate = command({
  name: 'webhooks rotate',
  summary: 'Give a webhook a new secret',
  description:
    'The secret is written to the standard output, and is not shown again. For a day, messages are signed with the previous one as well.',
  arguments: [nameArgument],
  options: [dryRunOption],
  examples: [['muster webhooks rotate "Failures to chat"', 'A day to change the receiver']],
  operations: ['listWebhooks', 'rotateWebhookSecret'],
  async run({ args, client, options, output }) {
    const { id, name } = await findWebhook(client, args[0] ?? '')
    const answer = await answerOf(
      client.POST('/api/webhooks/{id}/secret', { params: { path: { id }, query: changeQuery(options) } }),
    )
    output.result(answer, options.dryRun ? `${name} would get a new secret.` : answer.secret)
  },
})

export const webhooks = [list, show, create, update, remove, test, deliveries, replay, rotate]
