import { expect, test } from 'vitest'
import { findReasonAgainstInstallation, startInstalled } from './installed-service.ts'

const reason = findReasonAgainstInstallation()
if (reason) console.warn(`The commands of installations are not tested: ${reason}`)

type Overview = {
  steps: {
    lastBackupUtc: string | null
    commands: { isClone: boolean; copyExample: string; useProviders: string | null; backUp: string }
  }
}

test.skipIf(reason)('the commands that an installed Debian package shows work when root pastes them', async () => {
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
})

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
