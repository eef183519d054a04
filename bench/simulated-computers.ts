import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Report } from '../simulator/src/report.ts'

const program = join(import.meta.dirname, '../simulator/src/main.ts')

export type { Report }

export type SimulatedComputers = {
  /** Runs the computers for this long with this contact interval. `scenario` adds fields for this run only. */
  run(seconds: number, intervalSeconds: number, scenario?: ScenarioFields): Promise<Report>
}

/** Fields of a scenario, by their paths. */
export type ScenarioFields = Record<string, string | number | boolean>

export type SimulationOptions = {
  address: string
  /** Authorisation of a principal with all roles. */
  headers: { authorization: string }
  computers: number
  /** Stores the fleet between runs. */
  folder: string
  scenario?: ScenarioFields
  /** Groups that the computers are distributed over. */
  groups?: readonly string[]
  /** Called with a progress line every ten seconds. */
  onProgress?(line: string): void
}

/** Enrols simulated computers. They send their inventories later, in `settle`. */
export async function enrolComputers(options: SimulationOptions): Promise<SimulatedComputers> {
  const computers = simulatedComputers(options, await createEnrolmentTokens(options))
  for (let enrolled = 0; enrolled < options.computers; ) {
    const round = await computers.run(20, 20, { 'inventory.isSent': false })
    const pace = (round.enrolled - enrolled) / round.seconds
    if (pace === 0) throw new Error('No computer has enrolled.')
    console.log(`${round.enrolled} computers enrolled, ${pace.toFixed(0)} per second`)
    enrolled = round.enrolled
  }
  return computers
}

export type Pace = { intervalSeconds: number; scenario?: ScenarioFields }

const maxSettlingRounds = 20

/**
 * Runs computers until nearly all have sent their inventories and patch scans. New computers send all of theirs, and a
 * different pace of changes makes other computers send some again.
 */
export async function settle(computers: SimulatedComputers, count: number, pace: Pace): Promise<void> {
  for (let round = 0; round < maxSettlingRounds; round++) {
    const { events } = await computers.run(1.5 * pace.intervalSeconds + 5, pace.intervalSeconds, pace.scenario)
    const sent = Math.max(events.sections ?? 0, events['patch scans'] ?? 0)
    if (sent < count / 5) return
  }
  console.log(`Computers still send inventories after ${maxSettlingRounds} rounds.`)
}

async function createEnrolmentTokens({ address, headers, groups }: SimulationOptions): Promise<string[]> {
  const expiresAtUtc = new Date(Date.now() + 86_400_000).toISOString()
  return Promise.all(
    (groups ?? [null]).map(async (groupId) => {
      const answer = await fetch(`${address}/api/enrolment-tokens`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ expiresAtUtc, groupId }),
      })
      return ((await answer.json()) as { token: string }).token
    }),
  )
}

function simulatedComputers(options: SimulationOptions, tokens: readonly string[]): SimulatedComputers {
  const { address, headers, computers, folder, scenario, onProgress } = options
  const apiToken = headers.authorization.replace('Bearer ', '')
  return {
    async run(seconds, intervalSeconds, runFields) {
      const file = join(folder, 'report.json')
      const pace = { durationSeconds: seconds, 'contact.intervalSeconds': intervalSeconds }
      const fields = { computers, ...pace, ...scenario, ...runFields }
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
      if (code !== 0) throw new Error(`The simulator ended with exit code ${code}.`)
      return JSON.parse(await readFile(file, 'utf8')) as Report
    },
  }
}
