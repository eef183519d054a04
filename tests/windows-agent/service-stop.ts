import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { untilSlowly, type WindowsWorld } from './windows-world.ts'

const script = [
  '@echo off',
  'echo begun>C:\\slow-begun',
  ':wait',
  'if exist C:\\slow-go-on exit /b 0',
  'ping -n 2 127.0.0.1 >nul',
  'goto wait',
].join('\r\n')

/** Windows has no signals, so this is what `SIGTERM` is in `agent/test/stopping.test.ts`. */
export function testServiceStop(world: WindowsWorld, groupId: string, computer: () => number): void {
  const { wine, post, log } = world

  test('when the service is stopped, the running command finishes and is reported before the service has stopped', async () => {
    const manifest = {
      name: 'slow',
      version: '1',
      operatingSystems: ['Windows'],
      kind: 'software',
      commands: { install: { shell: 'call slow.cmd' } },
    }
    const packageId = await world.importReady('slow', { 'muster-package.json': manifest, 'slow.cmd': script })
    await post(`/api/group/${groupId}/packages`, { packageId })
    await post(`/api/group/${groupId}/activation`, { software: true })
    await untilSlowly(() => existsSync(join(wine.drive, 'slow-begun')) || undefined)

    // The service was stopped by installers before.
    const begun = (await log()).length
    const stopped = wine.run(['net', 'stop', 'MusterAgent'])
    await untilSlowly(async () => (await log()).slice(begun).includes('finishing the work in progress') || undefined)
    await writeFile(join(wine.drive, 'slow-go-on'), '')
    await stopped
    await world.waitForDeployment(computer(), packageId, { status: 'Success', installationState: 'Installed' })
    const { output } = await wine.run(['sc', 'query', 'MusterAgent'])
    await wine.run(['net', 'start', 'MusterAgent'])

    expect(output).toMatch(/STATE\s*: 1\s+STOPPED/)
  })
}
