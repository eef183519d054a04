import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { openTemporaryFolder } from '../../server/test/world/temporary-folder.ts'
import { bundleAgent } from '../../tools/package/agent-bundle.ts'
import { storeFiles } from '../../tools/package/windows-agent.ts'
import { buildWindowsExecutable } from '../../tools/package/windows-executable.ts'
import { untilSlowly, type WindowsWorld } from './windows-world.ts'

/** A version of the agent that says which it is, and ends whenever it is to run. */
const brokenAgent = `if (process.argv[2] === '--version') console.log('0.3.0'); else process.exit(3)`

let executable: Promise<string> | undefined

/** The program of version 0.2.0, which is built once. */
export function laterExecutable(): Promise<string> {
  executable ??= openTemporaryFolder()
    .then((folder) => bundleAgent(folder, 'win32', '0.2.0'))
    .then(programOf)
  return executable
}

async function programOf(script: string): Promise<string> {
  const program = `${script}.exe`
  await buildWindowsExecutable(script, program)
  return program
}

/** The installed service updates itself from a package, like the agent on Linux. */
export function testSelfUpdates(world: WindowsWorld, groupId: string, computer: () => number): void {
  const { post, get, log, state } = world
  const deploy = async (version: string, program: string) => {
    // Quickly rather than well: the program is large.
    const archive = gzipSync(await readFile(program), { level: 1 })
    const packageId = await world.importReady(`muster-agent-${version}`, storeFiles(version, archive))
    await post(`/api/group/${groupId}/packages`, { packageId })
    await post(`/api/group/${groupId}/activation`, { software: true })
    return packageId
  }
  const versionNow = async () =>
    (await get<{ inventory: { agentVersion: string } }>(`/api/computer/${computer()}/uem-agent`)).inventory.agentVersion
  const isThere = (name: string) => (existsSync(join(state, 'versions', name)) ? true : undefined)

  test('the agent for Windows updates itself from a package, although it is killed at each step', async () => {
    const packageId = await deploy('0.2.0', await laterExecutable())

    // While the new version is unpacked, when it is ready for its trial, and when it has begun it.
    for (const step of ['incoming', 'trial', 'starts']) {
      await untilSlowly(() => isThere(step) ?? isThere('current'))
      await world.killAgent()
      await world.startService()
    }
    await world.waitForDeployment(computer(), packageId, { status: 'Success', installationState: 'Installed' })

    expect(await versionNow()).toBe('0.2.0')
    expect((await log()).match(/Work \d+: its command was interrupted/g)?.length).toBeGreaterThan(0)
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
