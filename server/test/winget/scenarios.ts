import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseDownloadHost } from '../../src/platform/downloads/download-hosts.ts'
import type { World } from '../world/open-world.ts'
import type { Scenario } from '../world/scenario.ts'
import { openTemporaryFolder } from '../world/temporary-folder.ts'
import { toFiles, wingetFiles } from './sample-manifests.ts'

/** A mirror with one package. */
async function givenMirror({ app }: World) {
  const packageStore = await openTemporaryFolder()
  Object.assign(app.services.configuration, { packageStore })
  const folder = join(packageStore, 'winget/manifests/e/Example/Viewer/7.10')
  await mkdir(folder, { recursive: true })
  for (const { name, content } of toFiles(wingetFiles({}))) await writeFile(join(folder, name), content)
}

const manifest = {
  name: 'downloaded',
  version: '1.0',
  kind: 'software',
  operatingSystems: ['Linux'],
  commands: { install: { argv: ['true'] } },
}

export const wingetScenarios: Record<string, Scenario> = {
  searchWingetPackages: async (world) => {
    await givenMirror(world)
    return { query: { search: 'viewer' } }
  },
  getWingetPackage: async (world) => {
    await givenMirror(world)
    return { params: { identifier: 'Example.Viewer' } }
  },
  convertWingetManifest: async () => ({ body: { files: toFiles(wingetFiles({})) } }),
  downloadPackage: async ({ app }) => {
    const packageHosts = [parseDownloadHost('hosts', 'downloads.example.org', false)]
    Object.assign(app.services.configuration, { packageHosts })
    const url = 'https://downloads.example.org/setup.exe'
    return { body: { url, sha256: 'ab'.repeat(32), fileName: 'setup.exe', manifest } }
  },
}
