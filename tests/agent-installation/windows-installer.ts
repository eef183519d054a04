import { createHash } from 'node:crypto'
import type { SecretKey } from '@muster/signing'
import { expect, test } from 'vitest'
import { enrolmentCommands } from '../../server/src/features/enrolment/enrolment-commands.ts'
import { manifestOf } from '../../server/test/packages/package-world.ts'
import { commandsOf, type InstallWorld, release } from './install-world.ts'

/** Imports and releases a package of the agent for Windows. Without an installer, it only updates agents. */
async function releaseForWindows(world: InstallWorld, version: string, installer?: string, signer?: SecretKey) {
  const name = `muster-agent-windows-${version}`
  await world.folder(name, {
    'muster-package.json': manifestOf({ name: 'muster-agent-windows', version, operatingSystems: ['Windows'] }),
    'muster-agent-windows-x64.exe.gz': 'the program',
    ...(installer !== undefined && { 'muster-agent.msi': installer }),
  })
  await release(world, name, signer)
}

/** What is served for Windows, by a service without trusted keys and by one that trusts `key`. */
export function testWindowsInstaller(
  unsigned: InstallWorld,
  signed: InstallWorld,
  { key, foreignKey }: { key: SecretKey; foreignKey: SecretKey },
): void {
  const installer = async ({ origin }: InstallWorld) => {
    const answer = await fetch(`${origin}/install/muster-agent.msi`)
    return { status: answer.status, caching: answer.headers.get('cache-control'), text: await answer.text() }
  }

  test('without a released package that contains the installer, there is none to download', async () => {
    const before = await installer(unsigned)
    await releaseForWindows(unsigned, '1.0')

    expect([before.status, JSON.parse(before.text)]).toMatchObject([404, { code: 'WindowsInstallerMissing' }])
    expect((await installer(unsigned)).status).toBe(404)
    expect((await commandsOf(unsigned)).windows).not.toContain('curl')
  })

  test('the command of a token downloads the installer by its hash and checks it, and the token is no argument', async () => {
    await releaseForWindows(unsigned, '2.0', 'the installer')
    const { windows, token } = await commandsOf(unsigned)
    const [address = '', sha256 = ''] = /http\S+\/install\/files\/(\w{64})/.exec(windows) ?? []

    const downloaded = await fetch(address)

    expect(await downloaded.text()).toBe('the installer')
    expect(downloaded.headers.get('cache-control')).toContain('immutable')
    expect(sha256).toBe(createHash('sha256').update('the installer').digest('hex'))
    const system = '%SystemRoot%\\System32\\'
    const steps = windows.split(/&&|\|\|/).map((step) => step.trim())
    expect(steps).toEqual([
      'cd /d "%ProgramFiles%"',
      `${system}curl.exe -fsSLo muster-agent.msi ${address}`,
      `${system}certutil.exe -hashfile muster-agent.msi SHA256 | ${system}find.exe "${sha256}"`,
      `start /wait ${system}msiexec.exe /i muster-agent.msi /qn`,
      'del muster-agent.msi',
      `set MUSTER_AGENT_TOKEN=${token}`,
      `"%ProgramFiles%\\Muster\\muster-agent" enrol --server ${unsigned.origin}`,
      'echo The agent is not installed or not enrolled. & set MUSTER_AGENT_TOKEN=',
    ])
  })

  test('the installer that was imported last has an address of its own, which is not cached by others', async () => {
    await releaseForWindows(unsigned, '2.1', 'a later installer')

    expect(await installer(unsigned)).toMatchObject({ status: 200, text: 'a later installer' })
    expect((await installer(unsigned)).caching).toContain('private')
  })

  test('with trusted keys, only an installer that one of them has signed is served', async () => {
    await releaseForWindows(signed, '1.0', 'unsigned')
    await releaseForWindows(signed, '1.1', 'foreign', foreignKey)
    const refused = await installer(signed)
    await releaseForWindows(signed, '1.2', 'signed', key)
    await releaseForWindows(signed, '1.3', 'foreign again', foreignKey)

    expect(refused.status).toBe(404)
    expect((await installer(signed)).text).toBe('signed')
    const sha256 = createHash('sha256').update('signed').digest('hex')
    expect((await commandsOf(signed)).windows).toContain(`/install/files/${sha256} `)
  })

  test('the command allows plain http to another computer, which the agent refuses otherwise', () => {
    const served = { hasLinuxPackage: false, windowsInstaller: undefined }

    expect(enrolmentCommands('http://muster.corp', 'enrol-x', served).windows).toContain(
      'http://muster.corp --insecure',
    )
    expect(enrolmentCommands('https://muster.corp', 'enrol-x', served).windows).not.toContain('--insecure')
  })
}
