import { join } from 'node:path'
import { expect, test } from 'vitest'
import { until } from '../database/embedded-postgres/muster.ts'
import { installedFolder, listFaults, startServiceProcess } from '../world/service-process.ts'
import { listStoredHashes } from './content-world.ts'
import { packageClient, shrinkBulkyPackage, writeBulkyPackage } from './package-service.ts'

const gigabyte = 1024 ** 3

test('an import survives kill -9 of the service, and neither its package nor an incomplete copy is visible; one that runs while the service stops is released at once; both run again after the next start', async () => {
  const dataDirectory = await installedFolder()
  await writeBulkyPackage(dataDirectory, 'killed', 2 * gigabyte)
  await writeBulkyPackage(dataDirectory, 'stopped', 4 * gigabyte)
  let service = await startServiceProcess({ dataDirectory })
  const client = await packageClient(service)
  const startImport = async (name: string) => {
    const trackingId = await client.startImport(service, name)
    await until(async () => ((await client.statusOf(service, trackingId)).status === 'Running' ? true : undefined))
    return trackingId
  }

  const killed = await startImport('killed')
  await service.kill('SIGKILL')
  const contents = await listStoredHashes(join(dataDirectory, 'packages'))
  await shrinkBulkyPackage(dataDirectory, 'killed', gigabyte / 64)
  service = await startServiceProcess({ dataDirectory })

  expect(contents).toEqual([])
  expect(await client.statusOf(service, killed)).toMatchObject({ status: 'Running', packageId: null })
  expect((await client.packages(service)).items).toEqual([])
  const { status, packageId } = await client.ended(service, killed)
  expect(status).toBe('Success')
  expect((await client.packages(service)).items).toMatchObject([{ id: packageId, hashState: 'Current' }])
  expect((await client.queue(service)).items).toEqual([])

  const stopped = await startImport('stopped')
  const signalled = performance.now()
  const { code } = await service.kill('SIGTERM')
  const seconds = (performance.now() - signalled) / 1000
  const faults = listFaults(service)
  await shrinkBulkyPackage(dataDirectory, 'stopped', gigabyte / 64)
  service = await startServiceProcess({ dataDirectory })

  expect(code).toBe(0)
  expect(seconds).toBeLessThan(5)
  expect(faults).toEqual([])
  expect(await client.ended(service, stopped)).toMatchObject({ status: 'Success' })
}, 240_000)
