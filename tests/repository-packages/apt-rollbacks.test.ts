import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { linuxPatches } from '../../agent/src/platform/linux/patches/index.ts'
import { temporaryFolder, until } from '../../server/test/database/embedded-postgres/muster.ts'
import {
  aptLabel,
  type DebianPackage,
  missingTools,
  openInstallation,
  openRepository,
} from '../../server/test/world/private-apt.ts'

const in1 = (name: string, more: Partial<DebianPackage> = {}) => ({ name, version: '1.0', ...more })
const in2 = (name: string, more: Partial<DebianPackage> = {}) => ({ name, version: '2.0', ...more })
const in3 = (name: string, more: Partial<DebianPackage> = {}) => ({ name, version: '3.0', ...more })

/** A Debian computer with these packages, and a repository that offers others. */
async function computerWith(present: DebianPackage[], offered: DebianPackage[]) {
  const repository = await openRepository()
  const installation = await openInstallation(repository, ['stable'])
  // The repository builds its packages once more, and offers what it has built last.
  await installation.install(...present)
  await repository.offer('stable', offered)
  for (const [name, value] of Object.entries(installation.environment)) vi.stubEnv(name, value)
  onTestFinished(() => void vi.unstubAllEnvs())
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  onTestFinished(() => written.mockRestore())
  await linuxPatches.refresh?.()
  return {
    repository,
    ...installation,
    logs: join(installation.folder, 'log'),
    /** From now on, the repository offers only these. */
    async offer(...packages: DebianPackage[]) {
      await repository.offer('stable', packages)
      await linuxPatches.refresh?.()
    },
    async fix(...keys: string[]) {
      const patches = keys.map((key, at) => ({
        patchId: at,
        productId: 1,
        key,
        name: key,
        product: 'Debian',
        files: [],
      }))
      const { failures } = (await linuxPatches.install?.(patches, () => undefined)) ?? expect.fail('no fix')
      expect(failures).toEqual([])
    },
    async rollBack(...keys: string[]) {
      const lines: string[] = []
      const done = (await linuxPatches.rollBack?.(keys, (line) => lines.push(line))) ?? expect.fail('no rollback')
      const shown = done.outcomes.map(({ key, outcome, reason }) => [key, outcome, reason])
      return { ...done, shown, lines }
    },
    async statusOf(key: string, known: string[]) {
      const scan = (await linuxPatches.scan(new Set(known))) ?? expect.fail('no scan')
      return scan.patches.find((patch) => patch.key === key)?.status
    },
  }
}

const gone = (version: string) =>
  `The version before it, ${version}, is no longer in the repositories of this computer, nor in its cache.`

describe.runIf(missingTools.length === 0)(`rollbacks ${aptLabel}`, () => {
  test('a patch is rolled back to the version that dpkg has recorded, nothing else changes, and it is missing again', async () => {
    const [one, two] = [
      [in1('one'), in2('one')],
      [in1('two'), in2('two')],
    ]
    const computer = await computerWith([in1('one'), in1('two')], [...one, ...two])
    await computer.fix('one 2.0', 'two 2.0')
    const before = await computer.statusOf('one 2.0', ['one 2.0'])

    const { shown, lines, rebootRequired } = await computer.rollBack('one 2.0')

    expect(shown).toEqual([['one 2.0', 'RolledBack', 'Now installed: one 1.0.']])
    expect(lines).toEqual(['Rolled back: one 2.0 (Now installed: one 1.0.)'])
    expect(rebootRequired).toBe(false)
    expect(computer.installed()).toEqual({ one: '1.0', two: '2.0' })
    expect([before, await computer.statusOf('one 2.0', ['one 2.0'])]).toEqual(['Installed', 'Missing'])
  })

  test('a version that neither a repository nor the cache has is not brought back; one in the cache is', async () => {
    const computer = await computerWith([in1('one')], [in2('one')])
    await computer.fix('one 2.0')

    const refused = await computer.rollBack('one 2.0')
    const file = join(computer.repository.folder, 'pool/one_1.0_all.deb')
    const cached = join(computer.folder, 'cache/archives/one_1.0_all.deb')
    await copyFile(join(computer.repository.folder, 'pool/one_2.0_all.deb'), cached)
    const forged = await computer.rollBack('one 2.0')
    await copyFile(file, cached)
    const done = await computer.rollBack('one 2.0')

    expect(refused.shown).toEqual([['one 2.0', 'Refused', gone('1.0')]])
    expect(forged.shown).toEqual(refused.shown)
    expect(done.shown).toEqual([['one 2.0', 'RolledBack', 'Now installed: one 1.0.']])
    expect(computer.installed()).toEqual({ one: '1.0' })
  })

  test('a package never goes back two versions, whatever is asked for', async () => {
    const all = [in1('one'), in2('one'), in3('one')]
    const computer = await computerWith([in1('one')], [in1('one'), in2('one')])
    await computer.fix('one 2.0')
    await computer.offer(...all)
    await computer.fix('one 3.0')

    const back = await computer.rollBack('one 3.0')
    const again = await computer.rollBack('one 2.0')

    expect(back.shown).toEqual([['one 3.0', 'RolledBack', 'Now installed: one 2.0.']])
    expect(again.shown).toMatchObject([['one 2.0', 'Refused', expect.stringContaining('a downgrade from 3.0 to 2.0')]])
    expect(computer.installed()).toEqual({ one: '2.0' })
  })

  test('what needs the patch keeps it, unless it is rolled back as well', async () => {
    const library = [in1('library'), in2('library')]
    const app = [in1('app', { depends: 'library' }), in2('app', { depends: 'library (>= 2.0)' })]
    const computer = await computerWith(
      [in1('library'), in1('app', { depends: 'library' }), in1('other')],
      [...library, ...app, in1('other'), in2('other')],
    )
    await computer.fix('library 2.0', 'app 2.0', 'other 2.0')

    const alone = await computer.rollBack('library 2.0', 'other 2.0')
    const before = computer.installed()
    const together = await computer.rollBack('library 2.0', 'app 2.0')

    expect(alone.shown).toEqual([
      ['library 2.0', 'Refused', expect.stringMatching(/app/)],
      ['other 2.0', 'RolledBack', 'Now installed: other 1.0.'],
    ])
    expect(before).toEqual({ library: '2.0', app: '2.0', other: '1.0' })
    expect(together.shown.map(([, outcome]) => outcome)).toEqual(['RolledBack', 'RolledBack'])
    expect(computer.installed()).toEqual({ library: '1.0', app: '1.0', other: '1.0' })
  })

  test('without the log of dpkg, that of apt says what was before, also rotated and compressed', async () => {
    const computer = await computerWith([in1('one')], [in1('one'), in2('one')])
    await computer.fix('one 2.0')
    await rm(join(computer.logs, 'dpkg.log'))
    const history = join(computer.logs, 'history.log')
    const recorded = await readFile(history, 'utf8')
    await rm(history)

    const unknown = await computer.rollBack('one 2.0')
    await writeFile(`${history}.2.gz`, gzipSync(recorded))
    const known = await computer.rollBack('one 2.0')

    expect(unknown.shown).toMatchObject([
      ['one 2.0', 'Refused', expect.stringContaining('no record of a version before 2.0')],
    ])
    expect(known.shown).toMatchObject([['one 2.0', 'RolledBack', 'Now installed: one 1.0.']])
  })

  test('an installation has no version before, a later version stays, and what is gone is gone', async () => {
    const computer = await computerWith(
      [in2('fresh'), in1('one'), in3('later')],
      [in1('fresh'), in1('one'), in2('later')],
    )

    const { shown } = await computer.rollBack('fresh 2.0', 'later 2.0', 'one 2.0', 'absent 1.0')

    expect(shown).toMatchObject([
      ['fresh 2.0', 'Refused', expect.stringContaining('no record of a version before 2.0')],
      ['later 2.0', 'Refused', 'later is installed in a later version, 3.0, which another patch has brought.'],
      ['one 2.0', 'RolledBack', 'An earlier version of one is installed already: 1.0.'],
      ['absent 1.0', 'RolledBack', 'absent is not installed any more.'],
    ])
    expect(computer.installed()).toEqual({ fresh: '2.0', one: '1.0', later: '3.0' })
  })

  test('a locked package stays, and no key becomes an option of apt', async () => {
    const computer = await computerWith([in1('one')], [in1('one'), in2('one')])
    await computer.fix('one 2.0')
    const path = join(computer.database, 'status')
    const text = await readFile(path, 'utf8')
    await writeFile(path, text.replace('Package: one\nStatus: install', 'Package: one\nStatus: hold'))
    const trace = join(await temporaryFolder(), 'trace')
    const hostile = `one 2.0 -oDPkg::Pre-Invoke::=touch\${IFS}${trace}`

    const { shown } = await computer.rollBack('one 2.0', hostile, '-o 1', 'ADVISORY-7')

    expect(shown).toEqual([
      ['one 2.0', 'Refused', 'The package is locked by apt-mark hold.'],
      ...[hostile, '-o 1', 'ADVISORY-7'].map((key) => [key, 'Refused', 'It is not a package of apt.']),
    ])
    expect(existsSync(trace)).toBe(false)
    expect(computer.installed()).toEqual({ one: '2.0' })
  })

  test('while another program uses the packages, there is no outcome: the rollback is tried again', async () => {
    const go = join(await temporaryFolder(), 'go')
    const slow = in1('slow', { scripts: { preinst: `touch ${go}.begun; while ! test -e ${go}; do sleep 0.1; done` } })
    const computer = await computerWith([in1('one')], [in1('one'), in2('one'), slow])
    await computer.fix('one 2.0')
    const other = spawn('apt-get', ['-q', '-y', 'install', 'slow'], { env: process.env, stdio: 'ignore' })
    const ended = new Promise((resolve) => other.once('exit', resolve))
    onTestFinished(async () => {
      await writeFile(go, '')
      await ended
    })
    await until(async () => existsSync(`${go}.begun`) || undefined)
    vi.stubEnv('MUSTER_PACKAGE_LOCK_SECONDS', '1')

    const busy = await computer.rollBack('one 2.0')
    await writeFile(go, '')
    await ended
    const done = await computer.rollBack('one 2.0')

    expect(busy.outcomes).toEqual([])
    expect(busy.lines).toContainEqual(expect.stringMatching(/^Not rolled back yet: one 2\.0 \(apt-get \(process/))
    expect(done.shown).toMatchObject([['one 2.0', 'RolledBack', 'Now installed: one 1.0.']])
  })
})
