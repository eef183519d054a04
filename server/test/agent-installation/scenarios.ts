import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { contentPathOf } from '../../src/features/packages/content/content-folder.ts'
import type { World } from '../world/open-world.ts'
import type { Scenario } from '../world/scenario.ts'
import { openTemporaryFolder } from '../world/temporary-folder.ts'

/** A released and designated package of the agent, whose file is in a package store of its own. */
async function agentPackage(
  { app, db, given }: World,
  platform: 'Linux' | 'Windows' = 'Linux',
): Promise<{ sha256: string; packageId: string }> {
  const [name, file] =
    platform === 'Linux'
      ? ['muster-agent', 'muster-agent-linux-x64.tar.gz']
      : ['muster-agent-windows', 'muster-agent.msi']
  const packageStore = await openTemporaryFolder()
  Object.assign(app.services.configuration, { packageStore })
  const content = Buffer.from(packageStore)
  const sha256 = createHash('sha256').update(content).digest('hex')
  const path = contentPathOf(packageStore, sha256)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, content)
  const { id } = await given.package({
    package_name: name,
    version: sha256.slice(0, 12),
    is_operational: true,
    hash_state: 'Current',
    content_hash: Buffer.from(sha256, 'hex'),
  })
  await db
    .insertInto('package_files')
    .values({
      package_id: id,
      path: file,
      size: content.length,
      sha256: Buffer.from(sha256, 'hex'),
    })
    .execute()
  const designation = { platform, package_id: id, content_hash: Buffer.from(sha256, 'hex') }
  await db.deleteFrom('agent_packages').where('platform', '=', platform).execute()
  await db.insertInto('agent_packages').values(designation).execute()
  return { sha256, packageId: id }
}

export const agentInstallationScenarios: Record<string, Scenario> = {
  getInstallScript: async (world) => {
    await agentPackage(world)
    return {}
  },
  getWindowsInstaller: async (world) => {
    await agentPackage(world, 'Windows')
    return {}
  },
  getInstallFile: async (world) => ({ params: { sha256: (await agentPackage(world)).sha256 } }),
  designateAgentPackage: async (world) => ({
    params: { platform: 'Linux' },
    body: { packageId: (await agentPackage(world)).packageId },
  }),
  withdrawAgentPackage: async (world) => {
    await agentPackage(world)
    return { params: { platform: 'Linux' } }
  },
}
