import { cp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isOutdated } from '../../tools/is-outdated.ts'
import type { Api } from './api.ts'
import { importPackage, type PackageSource } from './packages.ts'
import { signFolders } from './signing.ts'

const builtPackages = join(import.meta.dirname, '../../artifacts/packages')

/** What `npm run package` names the folders for the package store. */
const products = [
  { product: 'agent', platform: 'Linux', name: /^muster-agent-\d[^/]*$/ },
  { product: 'agent-windows', platform: 'Windows', name: /^muster-agent-windows-\d[^/]*$/ },
]

/**
 * Imports, releases and designates the packages of the agent, if `npm run package` has built some that the demo does not have yet. They
 * are real: with them, computers besides the simulated ones can be enrolled. Simulated agents update themselves with them.
 * Returns the ids of the packages that were imported.
 */
export async function importAgentPackages(api: Api, source: PackageSource, built = builtPackages): Promise<string[]> {
  const ids: string[] = []
  for (const { product, platform, name } of products) {
    const entries = await readdir(join(built, product)).catch(() => [])
    const found = entries.find((entry) => name.test(entry))
    const id = found && (await importIfNew(api, source, join(built, product), found))
    if (!id) continue
    await api.put(`/api/agent-packages/${platform}`, { packageId: id })
    ids.push(id)
  }
  return ids
}

async function importIfNew(
  api: Api,
  { store, signingKey }: PackageSource,
  built: string,
  name: string,
): Promise<string | undefined> {
  const folder = join(store, name)
  if (!(await isOutdated(join(folder, 'muster-package.json.minisig'), [join(built, name)]))) return undefined
  await rm(folder, { recursive: true, force: true })
  await cp(join(built, name), folder, { recursive: true })
  await signFolders(signingKey, [folder])
  const id = await importPackage(api, name)
  await api.put(`/api/packages/${id}/ready-to-install`, { operational: true })
  return id
}
