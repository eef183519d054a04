import { ExpectedError } from '../src/expected-error.ts'
import { readSavedFleet, saveFleet } from '../src/saved-fleet.ts'
import { type Simulation, simulate } from '../src/simulation.ts'
import { accessToken, apiOf } from './api.ts'
import { type DataSet, demoScenario, makeDataSet } from './data-set.ts'
import { backdateIn } from './database.ts'
import { runDepot } from './depots.ts'
import { fleetFile, type Kept, keep, openFolder } from './folder.ts'
import { type DemoOptions, help, readDemoOptions } from './options.ts'
import { type DemoService, startService } from './service.ts'
import { printWelcome } from './welcome.ts'

const saveMs = 60_000

type Living = Pick<DataSet, 'simulation' | 'depot'>

/** A principal with all roles, made at the first start. */
async function callerOf(address: string, folder: string, kept: Kept): Promise<string> {
  if (!kept.caller) {
    const { clientId, clientSecret } = kept.administrator
    const administrator = apiOf(address, await accessToken(address, clientId, clientSecret))
    const roles = (await administrator.get<{ role: string }[]>('/api/admin/roles')).map(({ role }) => role)
    const principal = { description: 'Demo', roles, expiresAtUtc: null }
    type Created = { clientId: string; plaintextKey: string }
    const created = await administrator.post<Created>('/api/admin/local-principals', principal)
    kept.caller = { clientId: created.clientId, clientSecret: created.plaintextKey }
    await keep(folder, kept)
  }
  return accessToken(address, kept.caller.clientId, kept.caller.clientSecret)
}

function report(step: string): void {
  console.log(`  ${(performance.now() / 1000).toFixed(1).padStart(5)} s  ${step}`)
}

async function made(address: string, token: string, folder: string, kept: Kept): Promise<Living> {
  const { computers, seed } = kept
  const scenario = demoScenario({ computers, seed })
  const dataSet = await makeDataSet({
    address,
    api: apiOf(address, token),
    store: `${folder}/packages`,
    scenario,
    backdate: backdateIn(folder),
    report,
  })
  kept.depotCredential = dataSet.depotCredential
  kept.isWhole = true
  saveFleet(fleetFile(folder), scenario, dataSet.simulation.fleet, dataSet.simulation.startedAt)
  await keep(folder, kept)
  return dataSet
}

async function continued(address: string, folder: string, { computers, seed, depotCredential }: Kept): Promise<Living> {
  // At the pace of the first start they would all come at once.
  const scenario = demoScenario({ computers, seed, enrolment: { perSecond: 50 } })
  const saved = readSavedFleet(fleetFile(folder), scenario)
  if (!saved) throw new ExpectedError(`${fleetFile(folder)} is missing. Use --fresh to begin anew.`)
  report(`${computers} computers come back`)
  const simulation = simulate({ scenario, server: address, tokenOf: () => '', saved })
  return { simulation, depot: await runDepot(address, depotCredential ?? '') }
}

async function live({ folder }: DemoOptions, kept: Kept, service: DemoService, stopped: Promise<void>): Promise<void> {
  const token = await callerOf(service.address, folder, kept)
  const { simulation, depot } = kept.isWhole
    ? await continued(service.address, folder, kept)
    : await made(service.address, token, folder, kept)
  const { computers, seed } = kept
  const scenario = demoScenario({ computers, seed })
  const save = () => saveFleet(fleetFile(folder), scenario, simulation.fleet, simulation.startedAt)
  const saving = setInterval(save, saveMs)
  try {
    await printWelcome(service.address, token, kept, folder)
    await Promise.race([stopped, simulation.broken])
    console.log('Stopping')
  } finally {
    clearInterval(saving)
    depot.stop()
    await stop(simulation, save)
  }
}

async function stop(simulation: Simulation, save: () => void): Promise<void> {
  await simulation.stop()
  save()
}

async function run(options: DemoOptions): Promise<void> {
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve())
  })
  const kept = await openFolder(options.folder, options)
  report('the service and its database')
  const { administrator } = kept
  const service = await startService({ dataDirectory: options.folder, port: options.port, administrator })
  // Also while the fleet is made, which then is made anew at the next start.
  const interrupted = stopped.then(() => undefined)
  try {
    await Promise.race([live(options, kept, service, stopped), endOf(service), untilInterrupted(interrupted, kept)])
  } finally {
    await service.stop()
  }
}

async function endOf({ ended, logFile }: DemoService): Promise<never> {
  await ended
  throw new ExpectedError(`The service has ended. ${logFile} tells more.`)
}

/** Settles on a signal only as long as there is nothing to keep; later, stopping is up to whoever lives. */
async function untilInterrupted(signalled: Promise<void>, kept: Kept): Promise<void> {
  await signalled
  if (kept.isWhole) await new Promise(() => {})
}

try {
  const options = readDemoOptions(process.argv.slice(2), process.env)
  if (options) await run(options)
  else console.log(help)
  process.exit(0)
} catch (error) {
  console.error(error instanceof ExpectedError ? error.message : error)
  process.exit(1)
}
