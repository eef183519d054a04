import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compareRpmVersions } from '../../agent/src/platform/linux/repositories/rpm-versions.ts'
import type { GivenWork } from '../../agent/test/given-work.ts'
import { openRpmComputer, type RpmDistribution } from './rpm-computer.ts'
import { makeRpmRepository, whyNoRpm } from './rpm-repository.ts'
import { makeSigningKey, type SigningKey } from './signing-key.ts'

type Source = NonNullable<NonNullable<GivenWork['declared']>['source']>

const label = whyNoRpm === undefined ? '' : `: NOT RUN, ${whyNoRpm}`

describe.runIf(whyNoRpm === undefined)(`packages of an RPM repository${label}`, () => {
  let key: SigningKey
  let repository: NonNullable<Source['repository']>

  beforeAll(async () => {
    key = makeSigningKey()
    const folder = await makeRpmRepository(key, [
      ...['1.0', '1.1'].map((version) => ({ name: 'muster-hello', version })),
      { name: 'muster-addon', version: '1.0', requires: 'muster-hello' },
      { name: 'muster-base', version: '1.0' },
    ])
    repository = { url: `file://${folder}`, key: key.publicKey }
  })
  afterAll(() => key.end())

  /** A computer with this distribution in a folder, and its agent. The tools are those of the machine, with another root. */
  async function openComputer(id: RpmDistribution) {
    const { world, system } = await openRpmComputer(id)
    const file = id === 'fedora' ? 'etc/yum.repos.d' : 'etc/zypp/repos.d'
    async function work(kind: 'Install' | 'Update' | 'Uninstall', source: Partial<Source>) {
      const declared = {
        source: { package: 'rpm:muster-hello', allowDowngrade: false, timeLimitMinutes: 5, ...source },
      }
      const workId = world.server.give({ kind, declared })
      const { code, output } = await world.start('run', '--once').ended
      const result = world.server.resultOf(workId)
      if (code !== 0 || !result) throw new Error(output)
      return result
    }
    return {
      work,
      sources: () => readdir(join(system, file)),
      configuration: () => readFile(join(system, 'etc/dnf/dnf.conf'), 'utf8'),
      locks: async () => {
        const path = join(system, 'etc/zypp/locks')
        return existsSync(path) ? readFile(path, 'utf8') : ''
      },
      installed: () =>
        execFileSync('rpm', ['--root', system, '-qa', '--qf', '%{NAME} %{VERSION}\\n'], { encoding: 'utf8' })
          .split('\n')
          .filter((line) => line.startsWith('muster-'))
          .toSorted(),
    }
  }

  test.each([['fedora', 'dnf'] as const, ['opensuse-leap', 'zypper'] as const])(
    'on %s, %s installs from a given repository, keeps a version, downgrades with permission and removes',
    async (id, _tool) => {
      const { work, installed, sources, configuration, locks } = await openComputer(id)
      const isLocked = async () =>
        id === 'fedora' ? /^excludepkgs=muster-hello$/m.test(await configuration()) : /muster-hello/.test(await locks())
      expect(await work('Install', { version: '1.0', repository, keepVersion: true })).toMatchObject({
        status: 'Success',
        installationState: 'Installed',
        exitCode: 0,
      })
      expect(installed()).toEqual(['muster-hello 1.0'])
      expect(await isLocked()).toBe(true)
      expect(await sources()).toEqual([expect.stringMatching(/^muster-[\da-f]{16}\.repo$/)])

      const locked = await work('Update', {})
      expect(locked).toMatchObject({ status: 'Failed', installationState: 'Installed' })
      expect(locked.output).toContain('is locked at its version')
      expect(await work('Update', { minVersion: '1.1', keepVersion: false })).toMatchObject({ status: 'Success' })
      expect(await isLocked()).toBe(false)
      expect(installed()).toEqual(['muster-hello 1.1'])
      const older = await work('Install', { version: '1.0-1' })
      expect(older.errorText).toContain('1.1-1 is installed, and the package does not allow a downgrade to 1.0-1')
      expect(await work('Install', { version: '1.0-1', allowDowngrade: true })).toMatchObject({ status: 'Success' })
      expect(installed()).toEqual(['muster-hello 1.0'])

      expect(await work('Install', { package: 'rpm:muster-addon' })).toMatchObject({ status: 'Success' })
      // Some zypper fails after it has removed the last package of a computer, which no real computer does.
      await work('Install', { package: 'rpm:muster-base' })
      const needed = await work('Uninstall', { repository })
      expect(needed).toMatchObject({ status: 'Failed', installationState: 'Installed' })
      expect(needed.errorText).toMatch(/muster-hello is needed by .*muster-addon/)
      expect(await work('Uninstall', { package: 'rpm:muster-addon' })).toMatchObject({ status: 'Success' })
      expect(await work('Uninstall', { repository })).toMatchObject({
        status: 'Success',
        installationState: 'Uninstalled',
      })
      expect(installed()).toEqual(['muster-base 1.0'])
      expect(await sources()).toEqual([])
    },
  )

  test.each(['fedora', 'opensuse-leap'] as const)(
    'on %s, what no given key has signed or no repository has is not installed, and leaves nothing',
    async (id) => {
      const { work, installed, sources } = await openComputer(id)
      const other = makeSigningKey()
      const foreign = await work('Install', { repository: { ...repository, key: other.publicKey } }).finally(() =>
        other.end(),
      )
      const absent = await work('Install', { package: 'rpm:muster-absent', repository })

      expect([foreign.status, absent.status]).toEqual(['Failed', 'Failed'])
      expect(foreign.errorText).toMatch(/key|signature/i)
      expect(absent.errorText).toContain('muster-absent')
      expect(installed()).toEqual([])
      expect(await sources()).toEqual([])
    },
  )

  test('versions of rpm are ordered as rpm orders them', () => {
    const versions = [
      '1.0',
      '1.0~rc1',
      '1.0^git1',
      '1.0.1',
      '1.10',
      '1.9',
      '1.0a',
      '1.a',
      '01.0',
      '2_0',
      '2.0',
      '1.0~~',
    ]
    const pairs = versions.flatMap((one) => versions.map((other) => [one, other] as const))
    const asked = pairs.map(([one, other]) => `print(rpm.vercmp('${one}', '${other}') .. ' ')`).join(' ')

    const answered = execFileSync('rpm', ['--eval', `%{lua:${asked}}`], { encoding: 'utf8' })
      .trim()
      .split(/\s+/)

    expect(pairs.map(([one, other]) => String(compareRpmVersions(one, other)))).toEqual(answered)
    expect(compareRpmVersions('2:1.0-5', '1.0')).toBe(0)
    expect(compareRpmVersions('1:1.0-5', '2:0.9')).toBe(-1)
    expect(compareRpmVersions('0:1.0-5', '1.0-6')).toBe(-1)
  })
})
