import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Report } from '../../simulator/src/report.ts'

const program = join(import.meta.dirname, '../../simulator/src/main.ts')

export type { Report }

export type SimulatedComputers = {
  /** Lets them come for so long, each once in the interval, and tells how that went. */
  run(seconds: number, intervalSeconds: number): Promise<Report>
}

export type SimulationOptions = {
  address: string
  enrolmentToken: string
  apiToken: string
  computers: number
  /** For what is kept between the runs. */
  folder: string
  /** Fields of the scenario, by their paths. */
  scenario?: Record<string, string | number | boolean>
}

/** Simulated computers that enrol at their first run. */
export function simulatedComputers(options: SimulationOptions): SimulatedComputers {
  const { address, enrolmentToken, apiToken, computers, folder, scenario = {} } = options
  return {
    async run(seconds, intervalSeconds) {
      const file = join(folder, 'report.json')
      const fields = { computers, durationSeconds: seconds, 'contact.intervalSeconds': intervalSeconds, ...scenario }
      const child = spawn(
        process.execPath,
        [
          ...[program, '--quiet', '--server', address, '--token', enrolmentToken, '--api-token', apiToken],
          ...['--state', join(folder, 'fleet.json'), '--report', file],
          ...Object.entries(fields).flatMap(([name, value]) => ['--set', `${name}=${value}`]),
        ],
        { stdio: ['ignore', 'ignore', 'inherit'] },
      )
      const [code] = await once(child, 'exit')
      if (code !== 0) throw new Error(`The simulator ended with ${code}.`)
      return JSON.parse(await readFile(file, 'utf8')) as Report
    },
  }
}
