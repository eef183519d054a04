import type { Summary } from './measurements.ts'
import type { ServiceFigures } from './service-figures.ts'
import type { Progress } from './simulation.ts'

export type Report = Summary & {
  seconds: number
  seed: number
  computers: number
  enrolled: number
  simulator: { heapMegabytes: number; residentMegabytes: number; cpuShare: number }
  service: { requests: number; statementsPerRequest: number; cpuShare: number; residentMegabytes: number } | null
}

export type Run = {
  summary: Summary
  progress: Progress
  seconds: number
  seed: number
  computers: number
  /** At the beginning and at the end, if the service has told them. */
  service: readonly [ServiceFigures | undefined, ServiceFigures | undefined]
}

const megabyte = 1024 ** 2

export function reportOf({ summary, progress, seconds, seed, computers, service: [before, after] }: Run): Report {
  const { heapUsed, rss } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  return {
    ...summary,
    seconds: rounded(seconds, 10),
    seed,
    computers,
    enrolled: progress.enrolled,
    simulator: {
      heapMegabytes: Math.round(heapUsed / megabyte),
      residentMegabytes: Math.round(rss / megabyte),
      cpuShare: rounded((user + system) / 1e6 / Math.max(seconds, 0.001), 100),
    },
    service: before && after ? serviceBetween(before, after, seconds) : null,
  }
}

function serviceBetween(before: ServiceFigures, after: ServiceFigures, seconds: number) {
  const requests = after.requests - before.requests
  return {
    requests,
    statementsPerRequest: rounded((after.statements - before.statements) / Math.max(requests, 1), 100),
    cpuShare: rounded((after.cpuSeconds - before.cpuSeconds) / Math.max(seconds, 0.001), 100),
    residentMegabytes: Math.round(after.residentBytes / megabyte),
  }
}

const rounded = (value: number, parts: number) => Math.round(value * parts) / parts

const whole = (value: number) => value.toLocaleString('en-US')

export function printedReport(report: Report): string {
  const { simulator, service, lateness } = report
  return [
    `Report: ${whole(report.enrolled)} of ${whole(report.computers)} computers enrolled, seed ${report.seed}, ${whole(report.seconds)} s, ${whole(report.requests)} requests (${whole(report.perSecond)} per second)`,
    '',
    table(
      ['requests', 'count', 'failed', 'unanswered', 'per second', 'p50 ms', 'p90 ms', 'p99 ms', 'max ms'],
      report.operations.map((one) => [
        one.operation,
        ...[one.count, one.failed, one.unanswered, one.perSecond, one.p50, one.p90, one.p99, one.max].map(whole),
      ]),
    ),
    counts('errors', report.errors),
    counts('events', report.events),
    `Late for what was planned: p50 ${lateness.p50} ms, p99 ${lateness.p99} ms, at most ${lateness.max} ms`,
    `The simulator: ${simulator.cpuShare} of a core, heap ${simulator.heapMegabytes} MB, resident ${simulator.residentMegabytes} MB`,
    service
      ? `The service: ${service.statementsPerRequest} statements per request, ${service.cpuShare} of a core, resident ${service.residentMegabytes} MB`
      : 'The service: no figures (give --api-token)',
  ].join('\n')
}

function counts(title: string, values: Record<string, number>): string {
  const rows = Object.entries(values).map(([name, count]) => [name, whole(count)])
  return rows.length === 0 ? `No ${title}.\n` : table([title, 'count'], rows)
}

function table(header: readonly string[], rows: readonly string[][]): string {
  const widths = header.map((title, at) => Math.max(title.length, ...rows.map((row) => row[at]?.length ?? 0)))
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  ')
      .trimEnd()
  return `${[header, ...rows].map((row) => `  ${line(row)}`).join('\n')}\n`
}
