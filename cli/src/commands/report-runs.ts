import { setTimeout as sleep } from 'node:timers/promises'
import { answerOf, type components } from '@muster/client'
import { type Call, changeQuery, command, dryRunOption } from '../command.ts'
import { CommandFailure, UsageError } from '../errors.ts'
import { findReport } from '../names/reports.ts'
import type { Column } from '../output/output.ts'
import { timeOf } from '../output/times.ts'
import { limited, parseLimit } from './lists.ts'

type Run = components['schemas']['ReportRun']

const pollMs = 500

export const reportArgument = ['<report>', 'Name of the report, or its id', 'report'] as const

const runColumns: readonly Column<Run>[] = [
  ['due', ({ dueAtUtc }) => timeOf(dueAtUtc)],
  ['state', ({ state }) => state],
  ['attempts', ({ attempts }) => attempts],
  ['rows', ({ rows }) => rows],
  ['of', ({ totalRows }) => totalRows],
  ['posted', ({ postedAtUtc }) => timeOf(postedAtUtc)],
  ['mailed', ({ mailedAtUtc }) => timeOf(mailedAtUtc)],
  ['error', ({ error }) => error],
  ['id', ({ id }) => id],
]

const run = command({
  name: 'reports run',
  summary: 'Make a report now, and send it where it is sent by schedule',
  arguments: [reportArgument],
  options: [['--wait', 'Wait until it is made and sent; the command fails if the report does'], dryRunOption],
  examples: [['muster reports run "Software of Berlin" --wait', 'Its document can be downloaded afterwards']],
  operations: ['listReports', 'listReportRuns', 'runReport'],
  async run({ args, client, options, output, terminal }) {
    const { id, name } = await findReport(client, args[0] ?? '')
    const answer = await answerOf(
      client.POST('/api/reports/{id}/runs', { params: { path: { id }, query: changeQuery(options) } }),
    )
    if (options.dryRun || options.wait !== true)
      return output.result(answer, `${name} ${options.dryRun ? 'would be' : 'is being'} made.`)
    const ended = await waitForRun(client, terminal, id, answer.id)
    if (ended?.state !== 'Succeeded') throw new CommandFailure(`${name} failed: ${ended?.error ?? 'it was deleted'}`)
    output.result(ended, `${name} is made.`)
  },
})

/** The run once it has ended. Undefined if it is deleted meanwhile. */
async function waitForRun(client: Call['client'], terminal: Call['terminal'], reportId: string, runId: string) {
  for (;;) {
    const found = await findRun(client, reportId, runId)
    if (found?.state !== 'Waiting') return found
    await sleep(pollMs, undefined, { signal: terminal.signal })
  }
}

async function findRun(client: Call['client'], reportId: string, runId: string): Promise<Run | undefined> {
  for await (const one of client.pages('/api/reports/{id}/runs', { path: { id: reportId } }))
    if (one.id === runId) return one
  return undefined
}

const runs = command({
  name: 'reports runs',
  summary: 'List the last runs of a report, newest first',
  arguments: [reportArgument],
  options: [['--limit <count>', 'List at most this many; 20 by default']],
  examples: [['muster reports runs "Software of Berlin"', 'What became of them']],
  operations: ['listReports', 'listReportRuns'],
  async run({ args, client, options, output }) {
    const limit = parseLimit(options.limit) ?? 20
    const { id } = await findReport(client, args[0] ?? '')
    await output.rows(runColumns, limited(client.pages('/api/reports/{id}/runs', { path: { id } }), limit))
  },
})

const download = command({
  name: 'reports download',
  summary: 'Write the last document of a report to the standard output',
  arguments: [reportArgument],
  options: [['--run <id>', 'The document of this run']],
  examples: [['muster reports download "Software of Berlin" > software.csv', 'The last one that was made']],
  operations: ['listReports', 'listReportRuns', 'getReportFile'],
  async run({ args, client, options, terminal }) {
    const { id, name } = await findReport(client, args[0] ?? '')
    const runId = options.run === undefined ? await findLastDocument(client, id) : String(options.run)
    if (runId === undefined) throw new CommandFailure(`${name} has no document yet.`)
    const path = `/api/reports/${id}/runs/${encodeURIComponent(runId)}/file`
    const { body } = await client.stream(new Request(new URL(path, client.address)))
    if (terminal.isTerminal) throw new UsageError('A document is not for a terminal: write it to a file with >.')
    for await (const part of body ?? []) terminal.write(part)
  },
})

async function findLastDocument(client: Call['client'], id: string): Promise<string | undefined> {
  for await (const one of client.pages('/api/reports/{id}/runs', { path: { id } })) if (one.hasFile) return one.id
  return undefined
}

export const reportRuns = [run, runs, download]
