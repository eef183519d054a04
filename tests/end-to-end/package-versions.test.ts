import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { until } from '../../server/test/database/embedded-postgres/muster.ts'
import { type Muster, startMuster } from '../../server/test/world/start-muster.ts'
import { type Agent, enrolAgent } from './agents.ts'
import { assignTemplate } from './deployments.ts'

/** Imports another version of the greeting, which differs in its number and in the text that it installs. */
async function importVersion(muster: Muster, version: string): Promise<string> {
  const folder = `greeting-${version}`
  const path = join(muster.store, folder)
  await cp(new URL('../../examples/packages/greeting', import.meta.url), path, { recursive: true })
  for (const name of ['muster-package.json', 'install.sh']) {
    const content = await readFile(join(path, name), 'utf8')
    await writeFile(join(path, name), content.replaceAll('1.2.0', version))
  }
  return muster.importFolder(folder)
}

const installedVersion = (agent: Agent) => readFile(join(agent.root, 'greeting/version'), 'utf8').catch(() => 'none')

const waitForVersions = (agents: readonly Agent[], expected: readonly string[]) =>
  until(async () => {
    const found = await Promise.all(agents.map(installedVersion))
    return found.toSorted().join() ===
      expected
        .map((version) => `${version}\n`)
        .toSorted()
        .join()
      ? found
      : undefined
  }, 60_000)

/** Waits until the versions of the line, the newest first, are installed on as many computers. */
const waitForCounts = (muster: Muster, packageId: string, expected: readonly number[]) =>
  until(async () => {
    type Line = { versions: { installedCount: number }[] }
    const { versions } = await muster.get<Line>(`/api/packages/${packageId}/line`)
    return versions.map(({ installedCount }) => installedCount).join() === expected.join() ? true : undefined
  }, 60_000)

test('real agents get a new version ring by ring, and the previous one back', async () => {
  const muster = await startMuster()
  const groupId = await muster.group('Office')
  await assignTemplate(muster, groupId, { contactIntervalMinutes: 0.01 })
  const [old, current] = [await importVersion(muster, '1.2.0'), await importVersion(muster, '1.10.0')]
  await muster.post(`/api/group/${groupId}/packages`, { packageId: old })
  const token = await muster.enrolmentToken(groupId)
  const server = muster.service.address
  const agents = [
    await enrolAgent({ server, token, name: 'alpha' }),
    await enrolAgent({ server, token, name: 'beta' }),
  ] as const
  for (const agent of agents) agent.run()
  await muster.post(`/api/group/${groupId}/activation`, { software: true })
  await waitForVersions(agents, ['1.2.0', '1.2.0'])

  // The newer version, by its number and not by its text, is proposed to the group.
  await waitForCounts(muster, old, [0, 2])
  expect(await muster.get(`/api/packages/${old}/line`)).toMatchObject({
    versions: [{ version: '1.10.0' }, { version: '1.2.0', state: 'InUse' }],
    proposal: { packageId: current, groupCount: 1 },
  })

  // The first ring gets it. An activation does not bring it to the second one, which is not to open in this test.
  const { upgradeId } = await muster.post(`/api/packages/${current}/upgrade`, {
    groupIds: [groupId],
    rings: [{ count: 1 }, {}],
    criteria: { soakMinutes: 60 },
  })
  await waitForVersions(agents, ['1.10.0', '1.2.0'])
  await muster.post(`/api/group/${groupId}/activation`, { software: true })
  await waitForCounts(muster, old, [1, 1])
  await waitForVersions(agents, ['1.10.0', '1.2.0'])

  // The rollback reaches the computer that has it, and leaves the other one alone.
  const back = await muster.post(`/api/package-upgrades/${upgradeId}/roll-back`, {})
  expect(back).toMatchObject({ computerCount: 1, withdrawnCount: 0 })
  await waitForVersions(agents, ['1.2.0', '1.2.0'])
  await waitForCounts(muster, old, [0, 2])
  const { state } = await until(async () => {
    const upgrade = await muster.get<{ state: string }>(`/api/package-upgrades/${upgradeId}`)
    return upgrade.state === 'RolledBack' ? upgrade : undefined
  }, 60_000)
  expect(state).toBe('RolledBack')
})
