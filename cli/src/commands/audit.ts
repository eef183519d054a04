import { answerOf, type components, type MusterClient, pagesOf } from '@muster/client'
import { command } from '../command.ts'
import { checkOnEvents } from '../follow/watch.ts'
import { parseTime } from '../numbers.ts'
import { type Column, formatLine } from '../output/output.ts'
import { timeOf } from '../output/times.ts'
import { limited, parseLimit } from './lists.ts'

type Entry = components['schemas']['AuditEntry']

const columns: readonly Column<Entry>[] = [
  ['time', ({ occurredAtUtc }) => timeOf(occurredAtUtc)],
  ['who', ({ principalDisplayName, principalName }) => principalDisplayName ?? principalName],
  ['operation', ({ operation }) => operation],
  ['status', ({ status }) => status],
  ['what', ({ names, target }) => names.map(({ name }) => name).join(', ') || target],
]

export const audit = command({
  name: 'audit',
  summary: 'List the audit trail, newest first, or follow it',
  options: [
    ['--follow', 'Write entries as they come, until you press Ctrl+C'],
    ['--operation <operation>', 'Only entries of this operation, such as deleteComputer'],
    ['--since <time>', 'Only entries after this time, such as 2026-03-14T00:00:00Z'],
    ['--limit <count>', 'List at most this many, 100 by default; with --follow, end after this many'],
  ],
  examples: [
    ['muster audit --operation deleteComputer', 'Who has deleted computers'],
    ['muster audit --follow', 'What people do now'],
  ],
  operations: ['listAuditEntries', 'streamEvents'],
  async run({ client, options, output, terminal }) {
    const filter = {
      ...(options.operation !== undefined && { operation: String(options.operation) }),
      ...(options.since !== undefined && { after: parseTime(options.since) }),
    }
    const limit = parseLimit(options.limit)
    if (!options.follow)
      return output.rows(columns, limited(client.pages('/api/audit', { query: filter }), limit ?? 100))
    let remaining = limit ?? Number.POSITIVE_INFINITY
    let lastId = await findLastId(client)
    // Nearly every change leaves an event, and then has an entry.
    await checkOnEvents(client, { types: ['muster.*'], signal: terminal.signal }, async () => {
      const entries = (await listEntriesAfter(client, filter, lastId)).slice(0, remaining)
      lastId = entries.at(-1)?.id ?? lastId
      remaining -= entries.length
      for (const entry of entries)
        if (output.format === 'json') output.jsonLine(entry)
        else terminal.write(formatLine(columns, entry))
      return remaining === 0
    })
  },
})

async function findLastId(client: MusterClient): Promise<number> {
  const { items } = await answerOf(client.GET('/api/audit', { params: { query: { top: 1 } } }))
  return items[0]?.id ?? 0
}

/** More do not come between two looks. */
const maxNewEntries = 10_000

/** New entries, oldest first. */
async function listEntriesAfter(client: MusterClient, filter: object, lastId: number): Promise<Entry[]> {
  const entries: Entry[] = []
  const list = pagesOf<Entry>((page) =>
    client.GET('/api/audit', { params: { query: { ...filter, top: 100, ...page } } }),
  )
  for await (const entry of limited(list, maxNewEntries)) {
    if (entry.id <= lastId) break
    entries.push(entry)
  }
  return entries.reverse()
}
