import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
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

const v1 = (name: string, more: Partial<DebianPackage> = {}) => ({ name, version: '1.0', ...more })
const v2 = (name: string, more: Partial<DebianPackage> = {}) => ({ name, version: '2.0', ...more })

type Suites = Record<string, { packages: DebianPackage[]; fields?: string[] }>

/** A Debian computer with these packages, and repositories that offer newer ones. */
async function computerWith(present: DebianPackage[], offered: DebianPackage[], suites: Suites = {}) {
  const repository = await openRepository()
  const all: Suites = { stable: { packages: offered }, ...suites }
  for (const [suite, { packages, fields }] of Object.entries(all)) await repository.offer(suite, packages, fields)
  const installation = await openInstallation(repository, Object.keys(all))
  await installation.install(...present)
  for (const [name, value] of Object.entries(installation.environment)) vi.stubEnv(name, value)
  onTestFinished(() => void vi.unstubAllEnvs())
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  onTestFinished(() => written.mockRestore())
  await linuxPatches.refresh?.()
  return {
    repository,
    ...installation,
    async scan() {
      const scan = (await linuxPatches.scan(new Set())) ?? expect.fail('no scan')
      return (key: string) => scan.patches.find((patch) => patch.key === key)
    },
    async fix(...keys: (string | { key: string; files: string[] })[]) {
      const lines: string[] = []
      const patches = keys.map((given, at) => {
        const { key, files } = typeof given === 'string' ? { key: given, files: [] } : given
        return { patchId: at, productId: 1, key, name: key, product: 'Debian', files }
      })
      const result = (await linuxPatches.install?.(patches, (line) => lines.push(line))) ?? expect.fail('no fix')
      return { ...result, lines, failed: result.failures.map(({ key }) => key) }
    },
  }
}

describe.runIf(missingTools.length === 0)(`patches ${aptLabel}`, () => {
  test('a fix installs exactly the listed patches and prints a line for each', async () => {
    const computer = await computerWith([v1('one'), v1('two'), v1('three')], [v2('one'), v2('two'), v2('three')])

    const { lines, failures } = await computer.fix('one 2.0', 'three 2.0')

    expect(lines).toEqual(['Installed: one 2.0', 'Installed: three 2.0'])
    expect(failures).toEqual([])
    expect(computer.installed()).toEqual({ one: '2.0', two: '1.0', three: '2.0' })
    expect((await computer.fix('one 1.0', 'one 2.0')).failures).toEqual([])
    expect((await computer.fix()).failures).toEqual([])
  })

  test('a fix installs new dependencies of a patch, but upgrades nothing that is not listed', async () => {
    const computer = await computerWith(
      [v1('good'), v1('needy'), v1('library')],
      [v2('good', { depends: 'fresh' }), v2('fresh'), v2('needy', { depends: 'library (>= 2.0)' }), v2('library')],
    )

    const alone = await computer.fix('good 2.0', 'needy 2.0')
    const before = computer.installed()
    const together = await computer.fix('good 2.0', 'needy 2.0', 'library 2.0')

    expect(alone.failures).toEqual([{ key: 'needy 2.0', reason: 'it needs what is not released: library' }])
    expect(before).toEqual({ good: '2.0', fresh: '2.0', needy: '1.0', library: '1.0' })
    expect(together.failures).toEqual([])
    expect(computer.installed()).toEqual({ good: '2.0', fresh: '2.0', needy: '2.0', library: '2.0' })
  })

  test('a patch that cannot be installed does not stop the others, and no key becomes an option of apt', async () => {
    const computer = await computerWith([v1('one'), v1('two')], [v2('one'), v2('two')])
    const trace = join(await temporaryFolder(), 'trace')
    const option = `-oAPT::Update::Pre-Invoke::=x -oDPkg::Pre-Invoke::=touch\${IFS}${trace}`
    const hostile = ['\n', '\t', '\\n', '\r\n', ' '].map((separator) => `one 2.0${separator}${option}`)

    const fixed = await computer.fix('one 1.5', 'two 2.0', 'ADVISORY-7', 'three 2.0', '-o 1', ...hostile)

    expect(fixed.failed).toEqual(['one 1.5', 'ADVISORY-7', '-o 1', ...hostile])
    expect(fixed.failures[0]?.reason).toContain("'1.5' for 'one' was not found")
    expect(fixed.lines).toEqual(
      expect.arrayContaining(['Installed: two 2.0', expect.stringContaining('Not needed: three 2.0')]),
    )
    expect(existsSync(trace)).toBe(false)
    expect(computer.installed()).toEqual({ one: '1.0', two: '2.0' })
  })

  test('a patch is installed from the file that came with the work, which no repository offers', async () => {
    const computer = await computerWith([v1('one'), v1('two')], [v2('two')])
    const file = await (await openRepository()).build(v2('one'))

    const fixed = await computer.fix({ key: 'one 2.0', files: [file] }, 'two 2.0')

    expect(fixed.failures).toEqual([])
    expect(computer.installed()).toEqual({ one: '2.0', two: '2.0' })
  })

  test('a fix asks for a restart only if the system needs one', async () => {
    const computer = await computerWith([v1('one'), v1('two')], [v2('one'), v2('two')])

    const quiet = await computer.fix('one 2.0')
    await writeFile(computer.rebootSign, '')
    const asking = await computer.fix('two 2.0')

    expect([quiet.rebootRequired, asking.rebootRequired]).toEqual([false, true])
    expect(asking.lines.at(-1)).toBe(`A restart is needed: ${computer.rebootSign}`)
  })

  test('a locked package is missing, reported as locked, and left as it is', async () => {
    const computer = await computerWith([v1('one'), v1('two')], [v2('one'), v2('two')])
    await lock(computer.database, 'one')

    const found = await computer.scan()
    const fixed = await computer.fix('one 2.0', 'two 2.0')

    expect(found('one 2.0')).toMatchObject({ status: 'Missing', lockedBy: 'apt-mark hold' })
    expect(found('two 2.0')).not.toHaveProperty('lockedBy')
    expect(fixed.failures).toEqual([{ key: 'one 2.0', reason: 'locked by apt-mark hold' }])
    expect(computer.installed()).toEqual({ one: '1.0', two: '2.0' })
  })

  test('only what the distribution calls its security updates is a security patch', async () => {
    const names = ['debian', 'ubuntu', 'foreign', 'plain', 'ordinary']
    const computer = await computerWith(
      names.map((name) => v1(name)),
      [],
      {
        'stable-security': { packages: [v2('debian')], fields: ['Origin: Debian', 'Label: Debian-Security'] },
        'jammy-security': { packages: [v2('ubuntu')], fields: ['Origin: Ubuntu', 'Label: Ubuntu'] },
        'x-security': { packages: [v2('foreign')], fields: ['Origin: Vendor', 'Label: Vendor'] },
        'y-security': { packages: [v2('plain')] },
        updates: { packages: [v2('ordinary')], fields: ['Origin: Debian', 'Label: Debian'] },
      },
    )

    const found = await computer.scan()

    const types = Object.fromEntries(names.map((name) => [name, found(`${name} 2.0`)?.type]))
    expect(types).toEqual({
      debian: 'SecurityPatch',
      ubuntu: 'SecurityPatch',
      foreign: 'NonSecurityPatch',
      // Without an origin, as in a mirror that was made by hand, the name of the suite decides.
      plain: 'SecurityPatch',
      ordinary: 'NonSecurityPatch',
    })
  })

  test('an interrupted installation is finished first, and what cannot be finished is named', async () => {
    const flag = join(await temporaryFolder(), 'repaired')
    const broken = v1('broken', { scripts: { postinst: `test -e ${flag}` } })
    const computer = await computerWith([v1('one'), v1('two')], [v2('one'), v2('two')])
    await computer.install(broken).catch(() => undefined)

    const before = await computer.fix('one 2.0')
    await writeFile(flag, '')
    const after = await computer.fix('two 2.0')

    expect(before.lines).toEqual([
      'An earlier installation was interrupted: broken is half-configured. Finishing it with dpkg.',
      expect.stringMatching(/^NOT repaired: broken is half-configured \(.+\)$/),
      'Installed: one 2.0',
    ])
    expect(after.lines.slice(1)).toEqual(['The earlier installation is finished.', 'Installed: two 2.0'])
    expect(computer.installed()).toEqual({ one: '2.0', two: '2.0', broken: '1.0' })
  })

  test('a fix waits for another installation, and names the program', async () => {
    const go = join(await temporaryFolder(), 'go')
    const slow = v1('slow', { scripts: { preinst: `touch ${go}.begun; while ! test -e ${go}; do sleep 0.1; done` } })
    const computer = await computerWith([v1('one')], [v2('one'), slow])
    const printed: string[] = []
    const log = vi.spyOn(console, 'log').mockImplementation((line) => void printed.push(String(line)))
    onTestFinished(() => log.mockRestore())
    const other = spawn('apt-get', ['-q', '-y', 'install', 'slow'], { env: process.env, stdio: 'ignore' })
    const ended = new Promise((resolve) => other.once('exit', resolve))
    onTestFinished(async () => {
      await writeFile(go, '')
      await ended
    })
    await until(async () => existsSync(`${go}.begun`) || undefined)
    vi.stubEnv('MUSTER_PACKAGE_LOCK_SECONDS', '1')

    const refused = await computer.fix('one 2.0')
    vi.stubEnv('MUSTER_PACKAGE_LOCK_SECONDS', '60')
    setTimeout(() => void writeFile(go, ''), 500)
    const waited = await computer.fix('one 2.0')

    const owner = `apt-get (process ${other.pid})`
    expect(refused.failures).toEqual([
      { key: 'one 2.0', reason: `${owner} still used the packages after 1 seconds. Nothing was changed.` },
    ])
    expect(printed).toContain(`Waiting at most 1 seconds for ${owner}, which uses the packages.`)
    expect(waited.failures).toEqual([])
    expect(computer.installed()).toEqual({ one: '2.0', slow: '1.0' })
    await rm(go, { force: true })
  })
})

/** As apt-mark does, which dpkg of another root does not get the options for. */
async function lock(database: string, name: string): Promise<void> {
  const path = join(database, 'status')
  const text = await readFile(path, 'utf8')
  await writeFile(path, text.replace(`Package: ${name}\nStatus: install`, `Package: ${name}\nStatus: hold`))
}
