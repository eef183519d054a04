import { answerOf } from '@muster/client'
import { command, dryRunOption } from '../command.ts'
import { findRollout } from '../names/rollouts.ts'
import { deadlineOptions, formatDeadline, parseDeadlineChange, removeDeadlineOption } from './deadline-options.ts'

export const rolloutDeadline = command({
  name: 'rollout deadline',
  summary: 'Show, change or remove until when people may delay a rollout',
  description:
    'Without options, shows the deadline. Without a deadline of the rollout, those of the assignments count. A change counts from the next hand-out on.',
  arguments: [['<rollout>', 'Name of the rollout, or its id', 'rollout']],
  options: [...deadlineOptions, removeDeadlineOption, dryRunOption],
  examples: [
    ['muster rollout deadline "Firefox 128"', 'Until when people may delay it'],
    ['muster rollout deadline "Firefox 128" --deadline 24 --postponements 1', 'Gives people a day'],
    ['muster rollout deadline "Firefox 128" --remove', 'The deadlines of the assignments count again'],
  ],
  operations: ['listRollouts', 'getRollout', 'updateRollout'],
  async run({ args, client, options, output }) {
    const { rolloutId: id, name } = await findRollout(client, args[0] ?? '')
    const userDeadline = parseDeadlineChange(options)
    if (userDeadline === undefined) {
      const shown = await answerOf(client.GET('/api/rollouts/{id}', { params: { path: { id } } }))
      return output.result(shown.userDeadline, `${name}: ${formatDeadline(shown.userDeadline)}.`)
    }
    const query = options.dryRun === true ? { dryRun: true } : {}
    const changed = await answerOf(
      client.PATCH('/api/rollouts/{id}', { params: { path: { id }, query }, body: { userDeadline } }),
    )
    const effect = options.dryRun ? 'would be' : 'is now'
    output.result(changed.userDeadline, `${name}: the deadline ${effect} ${formatDeadline(changed.userDeadline)}.`)
  },
})
