import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Report } from '../../simulator/src/report.ts'

const program = join(import.meta.dirname, '../../simulator/src/main.ts')

export type { Report }

export type SimulatedComputers = {
  /** Lets them come for so long, each once in the interval, and tells how that went. More fields belong to this run. */
  run(seconds: number, intervalSeconds: number, scenario?: ScenarioFields): Promise<Report>
}

/** Fields of a scenario, by their paths. */
export type ScenarioFields = Record<string, string | number | boolean>

export type SimulationOptions = {
  address: string
  /** Of a principal that has every role. */
  headers: { authorization: string }
  computers: number
  /** For what is kept between the runs. */
  folder: string
  scenario?: ScenarioFields
  /** Groups among which the computers are shared out; none unless given. */
  groups?: readonly string[]
  /** Told every ten seconds how far a run is. */
  onProgress?(line: string): void
}

/** Simulated computers, all of them enrolled. They have not sent their inventories yet: `settle` lets them do so. */
export async function enrolledComputers(options: SimulationOptions): Promise<SimulatedComputers> {
  const computers = simulatedComputers(options, await enrolmentTokens(options))
  for (let enrolled = 0; enrolled < options.computers; ) {
    const round = await computers.run(20, 20, { 'inventory.isSent': false })
    const pace = (round.enrolled - enrolled) / round.seconds
    if (pace === 0) throw new Error('No computer can enrol.')
    console.log(`${round.enrolled} computers are enrolled, ${pace.toFixed(0)} per second`)
    enrolled = round.enrolled
  }
  return computers
}

export type Pace = { intervalSeconds: number; scenario?: ScenarioFields }

const mostSettlingRounds = 20

/**
 * Lets computers come until nearly all have sent their inventories and patch scans: those of new computers, and others
 * wherever the pace at which inventories change is another one than before.
 */
export async function settle(computers: SimulatedComputers, count: number, pace: Pace): Promise<void> {
  for (let round = 0; round < mostSettlingRounds; round++) {
    const { events } = await computers.run(1.5 * pace.intervalSeconds + 5, pace.intervalSeconds, pace.scenario)
    const sent = Math.max(events.sections ?? 0, events['patch scans'] ?? 0)
    if (sent < count / 5) return
  }
  console.log(`The computers still send inventories after ${mostSettlingRounds} rounds.`)
}

async function enrolmentTokens({ address, headers, groups }: SimulationOptions): Promise<string[]> {
  const expiresAtUtc = new Date(Date.now() + 86_400_000).toISOString()
  return Promise.all(
    (groups ?? [null]).map(async (groupId) => {
      const made = await fetch(`${address}/api/enrolment-tokens`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ expiresAtUtc, groupId }),
      })
      return ((await made.json()) as { token: string }).token
    }),
  )
}

function simulatedComputers(options: SimulationOptions, tokens: readonly string[]): SimulatedComputers {
  const { address, headers, computers, folder, scenario, onProgress } = options
  const apiToken = headers.authorization.replace('Bearer ', '')
  return {
    async run(seconds, intervalSeconds, more) {
      const file = join(folder, 'report.json')
      const pace = { durationSeconds: seconds, 'contact.intervalSeconds': intervalSeconds }
      const fields = { computers, ...pace, ...scenario, ...more }
      const child = spawn(
        process.execPath,
        [
          ...[program, '--server', address, '--api-token', apiToken, ...(onProgress ? [] : ['--quiet'])],
          ...tokens.flatMap((token) => ['--token', token]),
          ...['--state', join(folder, 'fleet.json'), '--report', file],
          ...Object.entries(fields).flatMap(([name, value]) => ['--set', `${name}=${value}`]),
        ],
        { stdio: ['ignore', 'ignore', onProgress ? 'pipe' : 'inherit'] },
      )
      if (child.stderr)
        createInterface(child.stderr).on('line', (line) => {
          if (/^\d+ s /.test(line)) onProgress?.(line)
          else console.error(line)
        })
      const [code] = await once(child, 'exit')
      if (code !== 0) throw new Error(`The simulator ended with ${code}.`)
      return JSON.parse(await readFile(file, 'utf8')) as Report
    },
  }
}
