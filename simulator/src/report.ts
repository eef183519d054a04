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
  /** Figures from the start and the end of the run, if the service provided them. */
  service: readonly [ServiceFigures | undefined, ServiceFigures | undefined]
}

const megabyte = 1024 ** 2

export function buildReport({ summary, progress, seconds, seed, computers, service: [before, after] }: Run): Report {
  const { heapUsed, rss } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  return {
    ...summary,
    seconds: round(seconds, 10),
    seed,
    computers,
    enrolled: progress.enrolled,
    simulator: {
      heapMegabytes: Math.round(heapUsed / megabyte),
      residentMegabytes: Math.round(rss / megabyte),
      cpuShare: round((user + system) / 1e6 / Math.max(seconds, 0.001), 100),
    },
    service: before && after ? serviceDuring(before, after, seconds) : null,
  }
}

function serviceDuring(before: ServiceFigures, after: ServiceFigures, seconds: number) {
  const requests = after.requests - before.requests
  return {
    requests,
    statementsPerRequest: round((after.statements - before.statements) / Math.max(requests, 1), 100),
    cpuShare: round((after.cpuSeconds - before.cpuSeconds) / Math.max(seconds, 0.001), 100),
    residentMegabytes: Math.round(after.residentBytes / megabyte),
  }
}

const round = (value: number, parts: number) => Math.round(value * parts) / parts

const formatNumber = (value: number) => value.toLocaleString('en-US')

export function formatReport(report: Report): string {
  const { simulator, service, lateness } = report
  return [
    `Report: ${formatNumber(report.enrolled)} of ${formatNumber(report.computers)} computers enrolled, seed ${report.seed}, ${formatNumber(report.seconds)} s, ${formatNumber(report.requests)} requests (${formatNumber(report.perSecond)} per second)`,
    '',
    formatTable(
      ['requests', 'count', 'failed', 'unanswered', 'per second', 'p50 ms', 'p90 ms', 'p99 ms', 'max ms'],
      report.operations.map((one) => [
        one.operation,
        ...[one.count, one.failed, one.unanswered, one.perSecond, one.p50, one.p90, one.p99, one.max].map(formatNumber),
      ]),
    ),
    formatCounts('errors', report.errors),
    formatCounts('events', report.events),
    `Delay of planned steps: p50 ${lateness.p50} ms, p99 ${lateness.p99} ms, max ${lateness.max} ms`,
    `Simulator: ${simulator.cpuShare} cores, heap ${simulator.heapMegabytes} MB, resident ${simulator.residentMegabytes} MB`,
    service
      ? `Service: ${service.statementsPerRequest} statements per request, ${service.cpuShare} cores, resident ${service.residentMegabytes} MB`
      : 'Service: no figures (use --api-token to include them)',
  ].join('\n')
}

function formatCounts(title: string, values: Record<string, number>): string {
  const rows = Object.entries(values).map(([name, count]) => [name, formatNumber(count)])
  return rows.length === 0 ? `No ${title}.\n` : formatTable([title, 'count'], rows)
}

function formatTable(header: readonly string[], rows: readonly string[][]): string {
  const widths = header.map((title, at) => Math.max(title.length, ...rows.map((row) => row[at]?.length ?? 0)))
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  ')
      .trimEnd()
  return `${[header, ...rows].map((row) => `  ${line(row)}`).join('\n')}\n`
}
