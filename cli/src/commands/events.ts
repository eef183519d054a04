import { answerOf, type MusterClient, type MusterEvent } from '@muster/client'
import { visibleLine } from '@muster/text'
import { command } from '../command.ts'
import { CommandFailure } from '../errors.ts'
import { findComputer } from '../names/computers.ts'
import type { Column } from '../output/output.ts'
import { formatTime, timeOf } from '../output/times.ts'
import { limited, parseLimit } from './lists.ts'

const columns: readonly Column<MusterEvent>[] = [
  ['time', ({ time }) => timeOf(time)],
  ['type', ({ type }) => type],
  ['subject', (event) => subjectOf(event)],
  ['data', ({ data }) => JSON.stringify(data)],
]

/** The name of the computer that the event is about, if there is one. */
function subjectOf({ subject, data }: MusterEvent): string {
  return typeof data.computerName === 'string' ? data.computerName : subject
}

/** How far back a search for certain events looks. */
const searchedEvents = 10_000

export const events = command({
  name: 'events',
  summary: 'List the last events, or follow them as they happen',
  description: `With a filter, the last ${searchedEvents} events of the log are searched; --after searches from a position on.`,
  options: [
    ['--follow', 'Follow events until you press Ctrl+C; one line for each'],
    ['--types <types...>', 'Only events of these types; muster.work.* for any end'],
    ['--computer <name>', 'Only events about this computer', 'computer'],
    ['--after <position>', 'Only events after this position of the log'],
    ['--limit <count>', 'List at most this many, 100 by default; with --follow, end after this many'],
  ],
  examples: [
    ['muster events --types muster.deployment.failed', 'The last failures'],
    ['muster events --follow --computer pc-01', 'What happens on a computer'],
    ['muster events --follow -o json | jq .data', 'One JSON object in each line'],
  ],
  operations: ['listEvents', 'streamEvents', 'getComputer', 'searchComputers'],
  async run({ client, options, output, terminal }) {
    const computer = options.computer === undefined ? undefined : await findComputer(client, String(options.computer))
    const types = options.types as string[] | undefined
    const after = options.after as string | undefined
    if (options.follow) {
      const filter = { ...(types && { types }), ...(computer && { computerId: computer.id }), ...(after && { after }) }
      const followed = limited(client.follow({ ...filter, signal: terminal.signal }), parseLimit(options.limit))
      for await (const event of followed)
        if (output.format === 'json') output.jsonLine(event)
        else terminal.write(formatEvent(event))
      return
    }
    const filter = { ...(types && { types: types.join() }), ...(computer && { computerId: computer.id }) }
    await output.rows(columns, await listLastEvents(client, filter, after, parseLimit(options.limit) ?? 100))
  },
})

type Filter = { types?: string; computerId?: number }

/** The last events that match, among the last ones of the log or those after a position. */
async function listLastEvents(client: MusterClient, filter: Filter, after: string | undefined, limit: number) {
  const bounds = await answerOf(client.GET('/api/events', { params: { query: { limit: 1 } } }))
  const isFiltered = Object.keys(filter).length > 0
  const start = Number(bounds.latestPosition) - (isFiltered ? searchedEvents : limit)
  const events: MusterEvent[] = []
  let position = after ?? String(Math.max(Number(bounds.oldestPosition) - 1, start))
  for (let hasMore = true; hasMore; ) {
    const query = { ...filter, after: position, limit: 1_000 }
    const page = await answerOf(client.GET('/api/events', { params: { query } }))
    events.push(...page.items)
    if (after !== undefined && events.length >= limit) return events.slice(0, limit)
    if (after === undefined) events.splice(0, events.length - limit)
    if (page.hasMore && !(Number(page.nextAfter) > Number(position)))
      throw new CommandFailure('The log of the service does not end.')
    position = page.nextAfter
    hasMore = page.hasMore
  }
  return events
}

function formatEvent(event: MusterEvent): string {
  const parts = [formatTime(event.time), event.type.padEnd(28), subjectOf(event), JSON.stringify(event.data)]
  return `${visibleLine(parts.join('  '))}\n`
}
