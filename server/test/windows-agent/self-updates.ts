import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bundleAgent } from '../../../tools/package/agent-bundle.ts'
import { storeFiles } from '../../../tools/package/windows-agent.ts'
import { buildWindowsExecutable } from '../../../tools/package/windows-executable.ts'
import { openTemporaryFolder } from '../world/temporary-folder.ts'
import type { WindowsWorld } from './windows-world.ts'

/** A version of the agent that says which it is, and ends whenever it is to run. */
const brokenAgent = `if (process.argv[2] === '--version') console.log('0.3.0'); else process.exit(3)`

async function programOf(script: string): Promise<Buffer> {
  const executable = `${script}.exe`
  await buildWindowsExecutable(script, executable)
  return readFile(executable)
}

/** The installed service updates itself from a package, like the agent on Linux. */
export function testSelfUpdates(world: WindowsWorld, groupId: string, computer: () => number): void {
  const { post, get, log } = world
  const deploy = async (version: string, program: Buffer) => {
    const packageId = await world.importReady(`muster-agent-${version}`, storeFiles(version, program))
    await post(`/api/group/${groupId}/packages`, { packageId })
    await post(`/api/group/${groupId}/activation`, { software: true })
    return packageId
  }
  const versionNow = async () =>
    (await get<{ inventory: { agentVersion: string } }>(`/api/computer/${computer()}/uem-agent`)).inventory.agentVersion

  test('the agent for Windows updates itself from a package, and the new version reports the result', async () => {
    const folder = await openTemporaryFolder()
    const packageId = await deploy('0.2.0', await programOf(await bundleAgent(folder, '0.2.0')))

    await world.waitForDeployment(computer(), packageId, { status: 'Success', installationState: 'Installed' })

    expect(await versionNow()).toBe('0.2.0')
  })

  test('if the new version does not contact the server, the previous one returns and reports the failure', async () => {
    const script = join(await openTemporaryFolder(), 'broken.cjs')
    await writeFile(script, brokenAgent)
    const packageId = await deploy('0.3.0', await programOf(script))

    await world.waitForDeployment(computer(), packageId, { status: 'Failed' })

    expect(await log()).toContain('The new version of the agent is taken back')
    expect(await versionNow()).toBe('0.2.0')
  })
}
