import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { GivenWork } from '../../agent/test/given-work.ts'
import { openWorld } from '../../agent/test/world.ts'
import {
  aptLabel,
  type Installation,
  missingTools,
  openInstallation,
  openRepository,
  type Repository,
} from '../../server/test/world/private-apt.ts'
import { makeSigningKey, type SigningKey } from './signing-key.ts'

type Source = NonNullable<NonNullable<GivenWork['declared']>['source']>

describe.runIf(missingTools.length === 0)(`packages of a Debian repository ${aptLabel}`, () => {
  let key: SigningKey
  let repository: Repository
  let given: NonNullable<Source['repository']>

  beforeAll(async () => {
    key = makeSigningKey()
    repository = await openRepository({ ...key, folder: join(key.home, 'repository') })
    await repository.offer('stable', [
      ...['1.0', '1.1'].map((version) => ({ name: 'muster-hello', version })),
      { name: 'muster-addon', version: '1.0', depends: 'muster-hello' },
      { name: 'muster-rival', version: '1.0', conflicts: 'muster-hello' },
    ])
    const { folder } = repository
    given = { url: `file://${folder}`, suite: 'stable', components: ['main'], key: key.publicKey }
  })
  afterAll(() => key.end())

  /** A computer whose own sources have nothing, and its agent. */
  async function openComputer(suites: string[] = []) {
    const world = await openWorld()
    const installation = await openInstallation(repository, suites)
    Object.assign(world.environment, installation.environment)
    /** Does work on several packages in one run of the agent. */
    async function works(kind: 'Install' | 'Update' | 'Uninstall', sources: readonly Partial<Source>[]) {
      const workIds = sources.map((source) => {
        const defaults = { package: 'deb:muster-hello', allowDowngrade: false, timeLimitMinutes: 5 }
        return world.server.give({ kind, declared: { source: { ...defaults, ...source } } })
      })
      const { output } = await world.start('run', '--once').ended
      return workIds.map((workId) => world.server.resultOf(workId) ?? expect.fail(output))
    }
    const work = async (kind: Parameters<typeof works>[0], source: Partial<Source>) => {
      const [result = expect.fail()] = await works(kind, [source])
      return result
    }
    return { installation, work, works }
  }

  const sourcesOf = async ({ folder }: Installation) => {
    const at = join(folder, 'etc/sources.list.d')
    return existsSync(at) ? readdir(at) : []
  }
  const isLocked = async ({ folder }: Installation) =>
    /^Status: hold /m.test(await readFile(join(folder, 'root/var/lib/dpkg/status'), 'utf8'))

  test('a package is installed from a given repository, kept at its version, and removed with its repository', async () => {
    const { installation, work } = await openComputer()
    const source = { version: '1.0', repository: given, keepVersion: true }

    const installed = await work('Install', source)
    expect(installed).toMatchObject({ status: 'Success', installationState: 'Installed', exitCode: 0 })
    expect(installed.output).toContain('Setting up muster-hello (1.0)')
    expect(installation.installed()).toEqual({ 'muster-hello': '1.0' })
    expect(await isLocked(installation)).toBe(true)
    const [file = ''] = await sourcesOf(installation)
    const text = await readFile(join(installation.folder, 'etc/sources.list.d', file), 'utf8')
    expect(text).toMatch(/^# - deb:muster-hello$[\s\S]*^Signed-By: .*muster-[\da-f]{16}\.asc$/m)

    // Another package uses the same repository.
    expect(await work('Install', { package: 'deb:muster-addon', repository: given })).toMatchObject({
      status: 'Success',
    })
    const refused = await work('Uninstall', source)
    expect(refused).toMatchObject({ status: 'Failed', installationState: 'Installed' })
    expect(refused.output).toContain('apt would also remove muster-addon')
    expect(await work('Uninstall', { package: 'deb:muster-addon', repository: given })).toMatchObject({
      status: 'Success',
    })
    expect(await sourcesOf(installation)).toEqual([file])

    expect(await work('Uninstall', source)).toMatchObject({ status: 'Success', installationState: 'Uninstalled' })
    expect(installation.installed()).toEqual({})
    expect(await sourcesOf(installation)).toEqual([])
    expect(await readdir(join(installation.folder, 'etc/keyrings'))).toEqual([])
  })

  test('the newest version replaces an older one, a lock is respected, and a downgrade needs permission', async () => {
    const { installation, work } = await openComputer(['stable'])
    await installation.install({ name: 'muster-hello', version: '0.9' })

    expect(await work('Install', { minVersion: '1.1' })).toMatchObject({ status: 'Success' })
    expect(installation.installed()).toEqual({ 'muster-hello': '1.1' })
    const older = await work('Install', { version: '1.0' })
    expect(older).toMatchObject({ status: 'Failed', installationState: 'NotInstalled' })
    expect(older.output).toContain('1.1 is installed, and the package does not allow a downgrade to 1.0')
    expect(await work('Install', { version: '1.0', allowDowngrade: true, keepVersion: true })).toMatchObject({
      status: 'Success',
    })
    expect(installation.installed()).toEqual({ 'muster-hello': '1.0' })
    const locked = await work('Update', {})
    expect(locked).toMatchObject({ status: 'Failed' })
    expect(locked.output).toContain('is locked at its version')
    expect(await work('Update', { keepVersion: false })).toMatchObject({ status: 'Success' })
    expect(installation.installed()).toEqual({ 'muster-hello': '1.1' })
    expect(await isLocked(installation)).toBe(false)
  })

  test('what the repositories do not have, or what would remove others, changes nothing, and the result says why', async () => {
    const { installation, works } = await openComputer(['stable'])
    await installation.install({ name: 'muster-hello', version: '0.9' })

    const results = await works('Install', [
      { version: '3.0' },
      { minVersion: '3.0' },
      // apt takes an unknown name with a dot for a pattern.
      { package: 'deb:muster.hello' },
      { package: 'deb:muster-rival' },
    ])

    expect(results.map(({ status }) => status)).toEqual(Array(4).fill('Failed'))
    expect(results.map(({ errorText }) => errorText)).toEqual([
      expect.stringContaining('do not have version 3.0 of muster-hello, but 1.1, 1.0'),
      expect.stringContaining('have muster-hello 1.1, and not 3.0 or later'),
      expect.stringContaining('do not have muster.hello'),
      expect.stringContaining('would also remove muster-hello'),
    ])
    expect(installation.installed()).toEqual({ 'muster-hello': '0.9' })
  })

  test('a repository that another key has signed is not used, and leaves nothing', async () => {
    const { installation, work } = await openComputer()
    const other = makeSigningKey()
    const result = await work('Install', { repository: { ...given, key: other.publicKey } }).finally(() => other.end())

    expect(result).toMatchObject({ status: 'Failed', installationState: 'NotInstalled' })
    expect(result.errorText).toContain('repository cannot be used')
    expect(installation.installed()).toEqual({})
    expect(await sourcesOf(installation)).toEqual([])
  })
})
