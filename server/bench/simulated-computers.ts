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
  /** Of a principal that has every role. */
  headers: { authorization: string }
  computers: number
  /** For what is kept between the runs. */
  folder: string
  /** Fields of the scenario, by their paths. */
  scenario?: Record<string, string | number | boolean>
}

/** Simulated computers, all of them enrolled. */
export async function enrolledComputers(options: SimulationOptions): Promise<SimulatedComputers> {
  const computers = simulatedComputers(options, await enrolmentToken(options))
  for (let enrolled = 0; enrolled < options.computers; ) {
    const round = await computers.run(20, 20)
    const pace = (round.enrolled - enrolled) / round.seconds
    if (pace === 0) throw new Error('No computer can enrol.')
    console.log(`${round.enrolled} computers are enrolled, ${pace.toFixed(0)} per second`)
    enrolled = round.enrolled
  }
  return computers
}

async function enrolmentToken({ address, headers }: SimulationOptions): Promise<string> {
  const made = await fetch(`${address}/api/enrolment-tokens`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ expiresAtUtc: new Date(Date.now() + 86_400_000).toISOString() }),
  })
  return ((await made.json()) as { token: string }).token
}

function simulatedComputers(options: SimulationOptions, token: string): SimulatedComputers {
  const { address, headers, computers, folder, scenario = {} } = options
  const apiToken = headers.authorization.replace('Bearer ', '')
  return {
    async run(seconds, intervalSeconds) {
      const file = join(folder, 'report.json')
      const fields = { computers, durationSeconds: seconds, 'contact.intervalSeconds': intervalSeconds, ...scenario }
      const child = spawn(
        process.execPath,
        [
          ...[program, '--quiet', '--server', address, '--token', token, '--api-token', apiToken],
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
