import { cp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isOutdated } from '../../tools/is-outdated.ts'
import type { Api } from './api.ts'
import { importPackage, type PackageSource } from './packages.ts'
import { signFolders } from './signing.ts'

const builtPackages = join(import.meta.dirname, '../../artifacts/packages/agent')

/**
 * Imports and releases the package of the agent, if `npm run package` has built one that the demo does not have yet. It is
 * real: with it, computers besides the simulated ones can be enrolled. Simulated agents update themselves with it.
 */
export async function importAgentPackage(
  api: Api,
  { store, signingKey }: PackageSource,
  built = builtPackages,
): Promise<string | undefined> {
  const names = await readdir(built).catch(() => [])
  const name = names.find((one) => /^muster-agent-\d[^/]*$/.test(one))
  if (!name) return undefined
  const folder = join(store, name)
  if (!(await isOutdated(join(folder, 'muster-package.json.minisig'), [join(built, name)]))) return undefined
  await rm(folder, { recursive: true, force: true })
  await cp(join(built, name), folder, { recursive: true })
  await signFolders(signingKey, [folder])
  const id = await importPackage(api, name)
  await api.put(`/api/packages/${id}/ready-to-install`, { operational: true })
  return id
}
