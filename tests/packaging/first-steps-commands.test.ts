import { join } from 'node:path'
import { expect, test } from 'vitest'
import { repository } from '../../server/test/world/service-process.ts'
import { findReasonAgainstInstallation, startInstalled } from './installed-service.ts'

const reason = findReasonAgainstInstallation()
if (reason) console.warn(`The commands of installations are not tested: ${reason}`)

type Overview = {
  steps: {
    lastBackupUtc: string | null
    commands: { isClone: boolean; copyExample: string; useProviders: string | null; backUp: string }
  }
}

test.skipIf(reason)(
  'the commands that an installed Debian package shows work when root pastes them, and certificates that only root can read are copied for it',
  async () => {
    const muster = await startInstalled('Package')
    const overview = () => muster.get<Overview>('/api/fleet/overview')
    const { commands } = (await overview()).steps

    await muster.run(commands.copyExample)
    expect(await muster.importFolder('greeting')).toMatch(/^[\da-f-]{36}$/)
    // A backup every night is the same command again.
    for (let night = 0; night < 2; night++) await muster.run(commands.backUp)
    expect((await overview()).steps.lastBackupUtc).not.toBeNull()
    expect(await muster.look('stat -c "%U %a" /var/lib/muster/muster.backup')).toBe('muster 600')
    await muster.run(`cd /run && echo '[]' > providers.json && ${commands.useProviders}`)

    expect(commands.isClone).toBe(false)
    expect(await muster.look('stat -c "%U %a" /etc/muster/credentials/OIDC_PROVIDERS_FILE')).toBe('root 600')
    expect(await muster.look('cat /run/muster-restarted')).toBe('restart muster')

    // What systemd runs as root before a start: it copies what only root can read to where the service can.
    const copyCertificate = join(repository, 'tools/package/service/copy-certificate')
    const asService = (command: string) => `setpriv --reuid=muster --regid=muster --clear-groups sh -c '${command}'`
    const asRoot = (settings: string) => muster.run(`env ${settings} sh ${copyCertificate} 2>&1`)
    const copied = '/run/muster-tls/MUSTER_TLS_KEY'
    await muster.run(
      'install -d -m 700 /run/live && umask 077 && echo key > /run/live/key && echo cert > /run/live/cert',
    )
    const silent = await asRoot('MUSTER_TLS_CERT=/run/live/cert MUSTER_TLS_KEY=/run/live/key')
    const [mode, read, original] = [
      await muster.look(`stat -c "%U %G %a" ${copied} && stat -c "%U %G %a" /run/muster-tls`),
      await muster.look(asService(`cat ${copied}`)),
      await muster.look(asService('cat /run/live/key 2> /dev/null || echo refused')),
    ]
    const complaint = await asRoot('MUSTER_TLS_CERT=/run/live/cert MUSTER_TLS_KEY=/run/live/gone')
    await asRoot('MUSTER_TLS_CERT=')

    expect([silent, mode, read, original]).toEqual(['', 'root muster 440\nroot muster 750', 'key', 'refused'])
    expect(complaint).toContain('MUSTER_TLS_KEY: /run/live/gone cannot be copied for the service.')
    expect(await muster.look('ls -A /run/muster-tls')).toBe('')
  },
)

test.skipIf(reason)('the commands that a container shows work when they are pasted in it', async () => {
  const muster = await startInstalled('Container')
  const overview = () => muster.get<Overview>('/api/fleet/overview')
  const { commands } = (await overview()).steps

  await muster.run(commands.copyExample)
  expect(await muster.importFolder('greeting')).toMatch(/^[\da-f-]{36}$/)
  await muster.run(commands.backUp)

  expect((await overview()).steps.lastBackupUtc).not.toBeNull()
  expect(commands).toMatchObject({ isClone: false, useProviders: null })
})
