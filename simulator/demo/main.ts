import { print, printError } from '@muster/text/print'
import { ExpectedError } from '../src/expected-error.ts'
import { findSavedFleet, saveFleet } from '../src/saved-fleet.ts'
import { simulate } from '../src/simulation.ts'
import { importAgentPackages } from './agent-package.ts'
import { apiOf, requestAccessToken } from './api.ts'
import { type DataSet, demoScenario, makeDataSet } from './data-set.ts'
import { runDepot } from './depots.ts'
import { type DemoFile, fleetFile, openFolder, saveDemoFile, signingKeyFile } from './folder.ts'
import { type DemoOptions, help, readDemoOptions } from './options.ts'
import { writePastIn } from './past.ts'
import { type DemoService, startService } from './service.ts'
import { ensureSigningKey, publicKeyFile } from './signing.ts'
import { printWelcome } from './welcome.ts'

const saveMs = 60_000

type RunningFleet = Pick<DataSet, 'simulation' | 'depot'>

/** Creates the principal with all roles at the first start. Returns an access token for it. */
async function requestCallerToken(address: string, folder: string, demo: DemoFile): Promise<string> {
  if (!demo.caller) {
    const { clientId, clientSecret } = demo.administrator
    const administrator = apiOf(address, await requestAccessToken(address, clientId, clientSecret))
    const roles = (await administrator.get<{ role: string }[]>('/api/admin/roles')).map(({ role }) => role)
    const principal = { description: 'Demo', roles, expiresAtUtc: null }
    type Created = { clientId: string; plaintextKey: string }
    const created = await administrator.post<Created>('/api/admin/local-principals', principal)
    demo.caller = { clientId: created.clientId, clientSecret: created.plaintextKey }
    await saveDemoFile(folder, demo)
  }
  return requestAccessToken(address, demo.caller.clientId, demo.caller.clientSecret)
}

function report(step: string): void {
  print(`  ${(performance.now() / 1000).toFixed(1).padStart(5)} s  ${step}`)
}

async function createFleet(address: string, token: string, folder: string, demo: DemoFile): Promise<RunningFleet> {
  const { computers, seed } = demo
  const scenario = demoScenario({ computers, seed })
  const dataSet = await makeDataSet({
    address,
    api: apiOf(address, token),
    store: `${folder}/packages`,
    signingKey: signingKeyFile(folder),
    scenario,
    writePast: writePastIn(folder),
    report,
  })
  demo.depotCredential = dataSet.depotCredential
  demo.isWhole = true
  saveFleet(fleetFile(folder), scenario, dataSet.simulation.fleet, dataSet.simulation.startedAt)
  await saveDemoFile(folder, demo)
  return dataSet
}

async function continueFleet(
  address: string,
  folder: string,
  { computers, seed, depotCredential }: DemoFile,
): Promise<RunningFleet> {
  // The pace of the first start would make all computers contact the service at once.
  const scenario = demoScenario({ computers, seed, enrolment: { perSecond: 50 } })
  const saved = findSavedFleet(fleetFile(folder), scenario)
  if (!saved) throw new ExpectedError(`${fleetFile(folder)} is missing. Use --fresh to start over.`)
  report(`${computers} computers reconnect`)
  const simulation = simulate({ scenario, server: address, tokenOf: () => '', saved })
  return { simulation, depot: await runDepot(address, depotCredential ?? '') }
}

async function runFleet(
  { folder }: DemoOptions,
  demo: DemoFile,
  service: DemoService,
  stopped: Promise<void>,
): Promise<void> {
  const token = await requestCallerToken(service.address, folder, demo)
  const { simulation, depot } = demo.isWhole
    ? await continueFleet(service.address, folder, demo)
    : await createFleet(service.address, token, folder, demo)
  const api = apiOf(service.address, token)
  await importAgentPackages(api, { store: `${folder}/packages`, signingKey: signingKeyFile(folder) })
  const { computers, seed } = demo
  const scenario = demoScenario({ computers, seed })
  const save = () => saveFleet(fleetFile(folder), scenario, simulation.fleet, simulation.startedAt)
  const saving = setInterval(save, saveMs)
  try {
    await printWelcome({ address: service.address, token, demo, folder })
    await Promise.race([stopped, simulation.failure])
    print('Stopping …')
  } finally {
    clearInterval(saving)
    depot.stop()
    await simulation.stop()
    save()
  }
}

async function runDemo(options: DemoOptions): Promise<void> {
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve())
  })
  const demo = await openFolder(options.folder, options)
  report('the service and its database')
  const { administrator } = demo
  const signingKey = signingKeyFile(options.folder)
  await ensureSigningKey(signingKey)
  const trustedKeys = publicKeyFile(signingKey)
  const service = await startService({ dataDirectory: options.folder, port: options.port, administrator, trustedKeys })
  try {
    await Promise.race([
      runFleet(options, demo, service, stopped),
      failAtEnd(service),
      waitForInterruption(stopped, demo),
    ])
  } finally {
    await service.stop()
  }
}

async function failAtEnd({ ended, logFile }: DemoService): Promise<never> {
  await ended
  throw new ExpectedError(`The service ended unexpectedly. See ${logFile}.`)
}

/**
 * Resolves on a signal while the data set is incomplete: the next start creates it again. Later, `runFleet` handles the
 * signal, because it has to save the fleet.
 */
async function waitForInterruption(stopped: Promise<void>, demo: DemoFile): Promise<void> {
  await stopped
  if (demo.isWhole) await new Promise(() => {})
}

try {
  const options = readDemoOptions(process.argv.slice(2), process.env)
  if (options) await runDemo(options)
  else print(help)
  process.exit(0)
} catch (error) {
  printError(error instanceof ExpectedError ? error.message : error)
  process.exit(1)
}
