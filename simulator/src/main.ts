import { readFileSync, writeFileSync } from 'node:fs'
import type { MusterClient } from '@muster/client'
import { print, printError } from '@muster/text/print'
import { ExpectedError } from './expected-error.ts'
import { help, type Options, readOptions } from './options.ts'
import { showProgress } from './progress-line.ts'
import { buildReport, formatReport } from './report.ts'
import { findSavedFleet, saveFleet } from './saved-fleet.ts'
import { connectToApi, createEnrolmentToken } from './service-api.ts'
import { fetchServiceFigures } from './service-figures.ts'
import { type Simulation, simulate } from './simulation.ts'

/** Resolves at the end of the duration or on the first signal. */
function waitForEnd(durationSeconds: number | null): Promise<void> {
  return new Promise((resolve) => {
    const timer = durationSeconds === null ? setInterval(() => {}, 60_000) : setTimeout(resolve, durationSeconds * 1000)
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => {
        clearTimeout(timer)
        resolve()
      })
  })
}

async function startSimulation(options: Options, client: MusterClient | undefined): Promise<Simulation> {
  const { server, scenario, state, ca } = options
  const saved = state ? findSavedFleet(state, scenario) : undefined
  const canCreateToken = !saved && options.tokens.length === 0 && client
  const tokens = canCreateToken ? [await createEnrolmentToken(client, scenario.computers)] : options.tokens
  if (!saved && tokens.length === 0) throw new ExpectedError(missingToken)
  return simulate({
    scenario,
    server,
    tokenOf: (number) => tokens[number % tokens.length] ?? '',
    ...(ca && { certificates: readFileSync(ca, 'utf8') }),
    ...(saved && { saved }),
  })
}

const missingToken =
  '--token is missing. It is optional only if --state names the file of an earlier run, or if MUSTER_CLIENT_ID and ' +
  'MUSTER_CLIENT_SECRET are those of a principal that may create one.'

async function run(options: Options): Promise<void> {
  const { scenario, state } = options
  const client = connectToApi(options, process.env)
  const figures = async () => client && fetchServiceFigures(client)
  const before = await figures()
  const began = performance.now()
  const simulation = await startSimulation(options, client)
  const hideProgress = options.isQuiet ? () => {} : showProgress(simulation, scenario.computers)
  await Promise.race([waitForEnd(scenario.durationSeconds), simulation.failure]).finally(hideProgress)
  const seconds = (performance.now() - began) / 1000
  await simulation.stop()
  if (state) saveFleet(state, scenario, simulation.fleet, simulation.startedAt)
  const report = buildReport({
    summary: simulation.measurements.summary(seconds),
    progress: simulation.progress(),
    seconds,
    seed: scenario.seed,
    computers: scenario.computers,
    service: [before, await figures()],
  })
  print(formatReport(report))
  if (options.report) writeFileSync(options.report, `${JSON.stringify(report, null, 2)}\n`)
}

try {
  const options = readOptions(process.argv.slice(2))
  if (options) await run(options)
  else print(help)
} catch (error) {
  printError(error instanceof ExpectedError ? error.message : error)
  process.exitCode = 1
}
