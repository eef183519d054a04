import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { installedFolder, type ServiceProcess, startServiceProcess } from '../world/service-process.ts'
import { packageClient, writeBulkyPackage } from './package-service.ts'

/** The peak memory of the process, in bytes. */
async function peakMemory({ process: { pid } }: ServiceProcess): Promise<number> {
  return Number(/VmHWM:\s+(\d+) kB/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024
}

test.runIf(process.platform === 'linux')(
  'the memory of the service does not grow with the size of an imported package',
  async () => {
    const dataDirectory = await installedFolder()
    await writeBulkyPackage(dataDirectory, 'small', 1024)
    await writeBulkyPackage(dataDirectory, 'bulky', 100 * 1024 * 1024, 300)
    const service = await startServiceProcess({ dataDirectory })
    const client = await packageClient(service)
    await client.ended(service, await client.startImport(service, 'small'))
    const before = await peakMemory(service)

    const { status, message } = await client.ended(service, await client.startImport(service, 'bulky'))

    expect({ status, message }).toEqual({ status: 'Success', message: 'Imported with 302 files.' })
    expect((await peakMemory(service)) - before).toBeLessThan(40e6)
  },
  120_000,
)
