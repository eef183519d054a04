import { execFileSync, spawn } from 'node:child_process'
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { linuxPatches } from '../../agent/src/platform/linux/patches/index.ts'
import type { ScannedPatch } from '../../agent/src/protocol.ts'
import { openRpmComputer, type RpmDistribution } from './rpm-computer.ts'
import { type Advisory, makeRpmRepository, whyNoRpm } from './rpm-repository.ts'
import { makeSigningKey, type SigningKey } from './signing-key.ts'

const label = whyNoRpm === undefined ? '' : `: NOT RUN, ${whyNoRpm}`
const product = 'A test'

const hello: Advisory = {
  id: 'MUSTER-SA-2026:1',
  type: 'security',
  title: 'hello: <b>important</b>\nsecurity update',
  severity: 'Important',
  cves: ['CVE-2026-11111', 'CVE-2026-11112'],
  rebootSuggested: true,
  packages: [{ name: 'muster-hello', version: '1.1' }],
}
const later: Advisory = {
  id: 'MUSTER-BA-2026:2',
  type: 'bugfix',
  title: 'hello: later',
  packages: [
    { name: 'muster-hello', version: '1.2' },
    { name: 'muster-absent', version: '3.0' },
  ],
}
const addon: Advisory = {
  id: 'MUSTER-BA-2026:3',
  type: 'bugfix',
  title: 'addon: another one',
  packages: [{ name: 'muster-addon', version: '2.0' }],
}

describe.runIf(whyNoRpm === undefined)(`patches of an RPM distribution${label}`, () => {
  let key: SigningKey
  let repository: string

  beforeAll(async () => {
    key = makeSigningKey()
    const offered = [
      ...['1.0', '1.1', '1.2'].map((version) => ({ name: 'muster-hello', version })),
      ...['1.0', '2.0'].map((version) => ({ name: 'muster-base', version })),
      { name: 'muster-addon', version: '1.0' },
      { name: 'muster-addon', version: '2.0', requires: 'muster-base >= 2.0' },
    ]
    repository = await makeRpmRepository(key, offered, [hello, later, addon])
  })
  afterAll(() => key.end())

  /** A computer of the distribution with the first version of all packages, and the agent's view of it. */
  async function openComputer(id: RpmDistribution) {
    const { world, system } = await openRpmComputer(id)
    const keyFile = join(system, 'etc/pki.asc')
    await writeFile(keyFile, key.publicKey)
    execFileSync('rpm', ['--root', system, '--import', keyFile])
    const lines = [
      '[test]',
      'name=test',
      `baseurl=file://${repository}`,
      'enabled=1',
      'gpgcheck=1',
      `gpgkey=file://${keyFile}`,
    ]
    for (const folder of ['yum.repos.d', 'zypp/repos.d'])
      await writeFile(join(system, 'etc', folder, 'test.repo'), lines.join('\n'))
    const files = ['muster-hello', 'muster-base', 'muster-addon'].map((name) =>
      join(repository, `noarch/${name}-1.0-1.noarch.rpm`),
    )
    execFileSync('rpm', ['--root', system, '-i', '--nodeps', ...files], { stdio: 'pipe' })
    world.environment.MUSTER_REBOOT_SIGN = join(system, 'reboot-required')
    for (const [name, value] of Object.entries(world.environment)) vi.stubEnv(name, value)
    onTestFinished(() => void vi.unstubAllEnvs())
    const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    onTestFinished(() => written.mockRestore())
    await linuxPatches.refresh?.()
    return {
      world,
      system,
      async scan(known: string[] = []) {
        const scan = (await linuxPatches.scan(new Set(known))) ?? expect.fail('no scan')
        const byKey = (wanted: string) => scan.patches.find((patch) => patch.key === wanted)
        return { ...scan, byKey, statuses: statusesOf(scan.patches) }
      },
      async fix(...keys: string[]) {
        const lines: string[] = []
        const patches = keys.map((name, at) => ({ patchId: at, productId: 1, key: name, name, product, files: [] }))
        const result = (await linuxPatches.install?.(patches, (line) => lines.push(line))) ?? expect.fail('no fix')
        return { ...result, lines }
      },
      async rollBack(...keys: string[]) {
        const done = (await linuxPatches.rollBack?.(keys, () => undefined)) ?? expect.fail('no rollback')
        return done.outcomes.map(({ outcome, reason }) => [outcome, reason])
      },
      installed: () =>
        Object.fromEntries(
          execFileSync('rpm', ['--root', system, '-qa', '--qf', '%{NAME} %{VERSION}\\n'], { encoding: 'utf8' })
            .split('\n')
            .filter((line) => line.startsWith('muster-'))
            .map((line) => line.split(' ')),
        ),
    }
  }

  const both = [['fedora'], ['opensuse-leap']] as const

  test.each(both)(
    'on %s, a scan reports what advisories say, and a fix leaves a locked package as it is',
    async (id) => {
      const { system, scan, fix, installed } = await openComputer(id)
      if (id === 'fedora') await writeFile(join(system, 'etc/dnf/dnf.conf'), '[main]\nexcludepkgs=muster-hel*\n')
      else execFileSync('zypper', ['--root', system, '--non-interactive', 'addlock', 'muster-hel*'], { stdio: 'pipe' })

      const found = await scan()
      const fixed = await fix(hello.id)

      const lock = id === 'fedora' ? 'versionlock or excludepkgs of dnf' : 'a lock of zypper'
      expect(found.byKey(hello.id)).toMatchObject({
        status: 'Missing',
        name: hello.id,
        bulletinId: hello.id,
        type: 'SecurityPatch',
        severity: expect.stringMatching(/^important$/i),
        title: 'hello: <b>important</b> security update',
        cves: hello.cves,
        releaseDate: '2026-03-11',
        component: { name: 'muster-hello', version: '1.1-1', installedVersion: '1.0-1' },
        lockedBy: lock,
        // dnf 4 does not show this; it then goes by the names of packages.
        restartSuggested: id !== 'fedora',
      })
      expect(found.byKey(addon.id)).toMatchObject({ status: 'Missing', type: 'NonSecurityPatch', cves: [] })
      expect(found.byKey(addon.id)).not.toHaveProperty('severity')
      expect(found.byKey(addon.id)).not.toHaveProperty('lockedBy')
      // zypper leaves packages of a repository with patches to these.
      expect(found.byKey('muster-base 2.0-1')?.status).toBe(id === 'fedora' ? 'Missing' : undefined)
      expect(found.byKey('OTHER-1')).toBeUndefined()
      expect(Date.parse(found.definitionUtc ?? '')).toBeGreaterThan(Date.now() - 600_000)
      expect(fixed.failures).toEqual([{ key: hello.id, reason: `locked by ${lock}` }])
      expect(installed()).toMatchObject({ 'muster-hello': '1.0' })
    },
  )

  test.each(both)('on %s, a patch that needs another update waits for its release and stops no other', async (id) => {
    const { fix, installed } = await openComputer(id)

    const alone = await fix(addon.id, hello.id, later.id)

    expect(alone.failures).toEqual([{ key: addon.id, reason: expect.stringContaining('muster-base') }])
    expect(installed()).toEqual({ 'muster-hello': '1.2', 'muster-base': '1.0', 'muster-addon': '1.0' })
    if (id !== 'fedora') return
    expect((await fix(addon.id, 'muster-base 2.0-1')).failures).toEqual([])
    expect(installed()).toEqual({ 'muster-hello': '1.2', 'muster-base': '2.0', 'muster-addon': '2.0' })
  })

  test.each(both)('on %s, an advisory is rolled back to the version before, and never two versions', async (id) => {
    const { scan, fix, rollBack, installed } = await openComputer(id)
    const fixed = [await fix(hello.id), await fix(later.id)]
    const before = installed()

    const rolledBack = await rollBack(later.id)
    const again = await rollBack(hello.id)
    const unknown = await rollBack('MUSTER-SA-2020:9', 'muster-absent 1.0-1')

    expect(fixed.flatMap(({ failures }) => failures)).toEqual([])
    expect(before).toMatchObject({ 'muster-hello': '1.2' })
    expect(rolledBack).toEqual([['RolledBack', 'Now installed: muster-hello 1.1-1.']])
    expect(again).toEqual([['Refused', expect.stringContaining('a downgrade from 1.2-1 to 1.1-1')]])
    expect(unknown).toEqual([
      ['Refused', expect.stringContaining('do not say any more which packages')],
      ['RolledBack', 'Earlier versions of its packages are installed already.'],
    ])
    expect(installed()).toEqual({ 'muster-hello': '1.1', 'muster-base': '1.0', 'muster-addon': '1.0' })
    expect((await scan([later.id])).statuses).toMatchObject({ [later.id]: 'Missing' })
  })

  test('with dnf, what needs a package keeps it, unless both are rolled back, and a lock keeps it, too', async () => {
    const { system, fix, rollBack, installed } = await openComputer('fedora')
    const base = 'muster-base 2.0-1'
    const fixed = await fix(addon.id, base)
    await writeFile(join(system, 'etc/dnf/dnf.conf'), '[main]\nexcludepkgs=muster-base\n')
    const locked = await rollBack(base)
    await writeFile(join(system, 'etc/dnf/dnf.conf'), '[main]\nbest=True\n')

    const alone = await rollBack(base)
    const before = installed()
    const together = await rollBack(base, addon.id)

    expect(fixed.failures).toEqual([])
    expect(locked).toEqual([['Refused', 'The package is locked by versionlock or excludepkgs of dnf.']])
    expect(alone).toEqual([['Refused', expect.stringContaining('muster-addon')]])
    expect(before).toMatchObject({ 'muster-base': '2.0', 'muster-addon': '2.0' })
    expect(together.map(([outcome]) => outcome)).toEqual(['RolledBack', 'RolledBack'])
    expect(installed()).toEqual({ 'muster-hello': '1.0', 'muster-base': '1.0', 'muster-addon': '1.0' })
  })

  test('with zypper, a version that its history does not name is not brought back', async () => {
    const { fix, rollBack, installed } = await openComputer('opensuse-leap')
    await fix(hello.id)

    expect(await rollBack(hello.id)).toEqual([
      ['Refused', expect.stringContaining('no record of a version before 1.1-1')],
    ])
    expect(installed()).toMatchObject({ 'muster-hello': '1.1' })
  })

  test.each(both)(
    'on %s, a fix waits for the program that uses the packages, and installs exactly what is released',
    async (id) => {
      const { system, scan, fix, installed, world } = await openComputer(id)
      vi.spyOn(console, 'log').mockImplementation((line) => void printed.push(String(line)))
      onTestFinished(() => void vi.restoreAllMocks())
      const printed: string[] = []
      const lock = join(system, id === 'fedora' ? 'var/lib/dnf/rpmdb_lock.pid' : 'run/zypp.pid')
      await mkdir(join(lock, '..'), { recursive: true })
      await copyFile('/bin/sleep', join(world.root, 'unattended-upgrade'))
      const other = spawn(join(world.root, 'unattended-upgrade'), ['60'])
      onTestFinished(() => void other.kill('SIGKILL'))
      await writeFile(lock, String(other.pid))
      vi.stubEnv('MUSTER_PACKAGE_LOCK_SECONDS', '1')

      const refused = await fix(hello.id).catch((error: Error) => error.message)
      vi.stubEnv('MUSTER_PACKAGE_LOCK_SECONDS', '30')
      setTimeout(() => void rm(lock), 500)
      const waited = await fix(hello.id, 'MUSTER-SA-2020:9')

      // zypper already waits to read what is missing.
      expect(JSON.stringify(refused)).toContain(
        `unattended-upgrade (process ${other.pid}) still used the packages after 1 seconds. Nothing was changed.`,
      )
      expect(printed).toContain(
        `Waiting at most 1 seconds for unattended-upgrade (process ${other.pid}), which uses the packages.`,
      )
      expect(waited).toMatchObject({ failures: [], rebootRequired: id !== 'fedora' })
      expect(waited.lines).toEqual(
        expect.arrayContaining([`Installed: ${hello.id}`, expect.stringContaining('Not needed: MUSTER-SA-2020:9')]),
      )
      expect(installed()).toEqual({ 'muster-hello': '1.1', 'muster-base': '1.0', 'muster-addon': '1.0' })
      expect((await scan([hello.id])).statuses).toMatchObject({ [hello.id]: 'Installed', [later.id]: 'Missing' })
    },
  )
})

const statusesOf = (patches: readonly ScannedPatch[]) =>
  Object.fromEntries(patches.map((patch) => [patch.key, patch.status]))
