import { readdir, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder, until } from '../database/embedded-postgres/muster.ts'
import { writeBulkyPackage } from '../packages/package-service.ts'
import { installedFolder, type ServiceProcess, startServiceProcess } from '../world/service-process.ts'
import { administratorClient } from './administrator-client.ts'
import { spawnDepot } from './depot-process.ts'

const size = 256 * 1024 ** 2

/** Finds an unused port, on which the service can be started twice. */
function findFreePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}

async function countBytes(directory: string): Promise<number> {
  const names = await readdir(directory, { recursive: true }).catch(() => [])
  const sizes = await Promise.all(names.map((name) => stat(join(directory, name)).catch(() => undefined)))
  return sizes.reduce((sum, found) => sum + (found?.isFile() ? found.size : 0), 0)
}

test('a synchronisation resumes its transfer after the service was killed with SIGKILL and restarted', async () => {
  const [dataDirectory, depotDirectory] = [await installedFolder(), await temporaryFolder()]
  const options = { dataDirectory, env: { MUSTER_PORT: String(await findFreePort()) } }
  await writeBulkyPackage(dataDirectory, 'bulky', size)
  let service: ServiceProcess = await startServiceProcess(options)
  const client = await administratorClient(service)
  await client.importPackage('bulky')
  const { credential } = await client.createDepot()

  const depot = spawnDepot({
    MUSTER_DEPOT_MASTER: service.address,
    MUSTER_DEPOT_CREDENTIAL: credential,
    MUSTER_DEPOT_DIR: depotDirectory,
    MUSTER_DEPOT_HEARTBEAT_SECONDS: '1',
    MUSTER_PORT: '0',
  })
  await until(async () => ((await countBytes(depotDirectory)) > size / 20 ? true : undefined))
  await service.kill('SIGKILL')
  const transferred = await countBytes(depotDirectory)
  // Waits until the depot has ended the job.
  await until(() => /A synchronisation job failed/.exec(depot.output())?.[0], 30_000)
  service = await startServiceProcess(options)
  await until(async () => ((await client.listSyncJobs())[0]?.status === 'Success' ? true : undefined), 60_000)

  const [last, first] = await client.listSyncJobs()
  expect(transferred).toBeLessThan(size)
  expect(first).toMatchObject({ status: 'Failed', result: 'The depot was interrupted.' })
  expect(last).toMatchObject({ packages: 1 })
  expect(last?.bytesTransferred).toBeLessThan(size)
  expect(await countBytes(depotDirectory)).toBeGreaterThan(size)
  expect(await client.listQueueEntries()).toEqual([])
}, 180_000)
