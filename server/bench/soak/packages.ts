import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Api, until } from '../api.ts'

const names = ['editor', 'runtime', 'viewer']
export const packageCount = names.length
const payloadBytes = 500_000

/** Puts packages for all operating systems into the store and imports them; returns their ids. */
export async function importPackages(api: Api, store: string): Promise<string[]> {
  return Promise.all(
    names.map(async (name) => {
      const folder = join(store, name)
      await mkdir(folder, { recursive: true })
      await writeFile(join(folder, 'muster-package.json'), JSON.stringify(manifestOf(name)))
      await writeFile(join(folder, 'setup.sh'), `# ${name}: simulated computers only act as if they ran this.\n`)
      await writeFile(join(folder, 'payload'), randomBytes(payloadBytes))
      const packageId = await imported(api, name)
      await api.put(`/api/packages/${packageId}/ready-to-install`, { operational: true })
      return packageId
    }),
  )
}

function manifestOf(name: string): object {
  const runs = (step: string) => ({ argv: ['sh', 'setup.sh', step], timeLimitMinutes: 30 })
  return {
    name,
    version: '1.0',
    displayName: name,
    operatingSystems: ['Windows', 'Linux', 'macOS'],
    kind: 'software',
    author: 'IT department',
    commands: { install: runs('install'), update: runs('update'), uninstall: runs('uninstall') },
  }
}

async function imported(api: Api, folderPath: string): Promise<string> {
  const { trackingId } = await api.post<{ trackingId: string }>('/api/packages/import', { folderPath })
  return until(async () => {
    type Import = { status: string; message: string | null; packageId: string | null }
    const { status, message, packageId } = await api.get<Import>(`/api/packages/import/${trackingId}`)
    if (status === 'Failed') throw new Error(`${folderPath} was not imported: ${message}`)
    return status === 'Success' && packageId ? packageId : undefined
  }, `the import of ${folderPath}`)
}
