import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../database/embedded-postgres/muster.ts'
import {
  aptLabel,
  type DebianPackage,
  type Installation,
  missingTools,
  openInstallation,
  openRepository,
} from '../world/private-apt.ts'
import { repository as checkout } from '../world/service-process.ts'

const v1 = (name: string, depends?: string) => ({ name, version: '1.0', ...(depends && { depends }) })
const v2 = (name: string, depends?: string) => ({ name, version: '2.0', ...(depends && { depends }) })

/** A computer with these packages, and a repository that offers newer versions. */
async function computerWith(present: DebianPackage[], offered: DebianPackage[]) {
  const repository = await openRepository()
  await repository.offer('stable', offered)
  const installation = await openInstallation(repository, ['stable'])
  await installation.install(...present)
  const { status, output } = run('patch-scan/scan.sh', installation.environment)
  expect(status, output).toBe(0)
  return installation
}

async function fix(installation: Installation, ...keys: string[]) {
  return fixWith(installation, join(await temporaryFolder(), 'patches.json'), ...keys)
}

async function fixWith({ environment }: Installation, list: string, ...keys: string[]) {
  const patches = keys.map((key, at) => ({ patchId: at, productId: 1, key, name: `"key":"${key}"`, product: 'Debian' }))
  await writeFile(list, JSON.stringify(patches))
  return run('patch-fix/fix.sh', { ...environment, MUSTER_PATCHES: list })
}

function run(script: string, environment: Record<string, string>) {
  const { status, stdout, stderr } = spawnSync('sh', [join(checkout, 'examples/packages', script)], {
    env: { PATH: process.env.PATH, ...environment },
    encoding: 'utf8',
  })
  return { status, output: stdout + stderr }
}

describe.runIf(missingTools.length === 0)(`the example patch fix ${aptLabel}`, () => {
  test('the patch fix installs exactly the listed patches and prints a line for each', async () => {
    const computer = await computerWith([v1('one'), v1('two'), v1('three')], [v2('one'), v2('two'), v2('three')])

    const { status, output } = await fix(computer, 'one 2.0', 'three 2.0')

    expect(output).toContain('Installed: one 2.0\nInstalled: three 2.0\n')
    expect(status).toBe(0)
    expect(computer.installed()).toEqual({ one: '2.0', two: '1.0', three: '2.0' })
  })

  test('the patch fix installs new dependencies of a patch, but upgrades nothing that is not listed', async () => {
    const computer = await computerWith(
      [v1('good'), v1('needy'), v1('library')],
      [v2('good', 'fresh'), v2('fresh'), v2('needy', 'library (>= 2.0)'), v2('library')],
    )

    const alone = await fix(computer, 'good 2.0', 'needy 2.0')
    const before = computer.installed()
    const together = await fix(computer, 'good 2.0', 'needy 2.0', 'library 2.0')

    expect(alone.status).toBe(1)
    expect(alone.output).toMatch(/Not released, but needed for .*needy:all=2.0: library/)
    expect(alone.output).toContain('NOT installed: needy 2.0')
    expect(before).toEqual({ good: '2.0', fresh: '2.0', needy: '1.0', library: '1.0' })
    expect(together.status).toBe(0)
    expect(computer.installed()).toEqual({ good: '2.0', fresh: '2.0', needy: '2.0', library: '2.0' })
  })

  test('a patch that cannot be installed does not stop the others', async () => {
    const computer = await computerWith([v1('one'), v1('two')], [v2('one'), v2('two')])

    const { status, output } = await fix(computer, 'one 1.5', 'two 2.0', 'ADVISORY-7', 'three 2.0', '-o 1')

    expect(status).toBe(1)
    expect(output).toContain('NOT installed: one 1.5')
    expect(output).toContain('Installed: two 2.0')
    expect(output).toContain('NOT installed: ADVISORY-7')
    expect(output).toContain('Not needed: three 2.0')
    expect(computer.installed()).toEqual({ one: '1.0', two: '2.0' })
  })

  test.each(['\n', '\t', '\\n', '\r\n'])(
    'no part of a key of a patch becomes an option of apt, even after %j',
    async (separator) => {
      const computer = await computerWith([v1('one'), v1('two')], [v2('one'), v2('two')])
      const trace = join(await temporaryFolder(), 'trace')
      const option = `-oAPT::Update::Pre-Invoke::=x -oDPkg::Pre-Invoke::=touch\${IFS}${trace}`

      const { status, output } = await fix(computer, `one 2.0${separator}${option}`, 'two 2.0')

      expect(existsSync(trace), output).toBe(false)
      expect(status).toBe(1)
      expect(computer.installed()).toEqual({ one: '1.0', two: '2.0' })
    },
  )

  test('the patch fix installs a patch from the file that came with the work, which no repository offers', async () => {
    const computer = await computerWith([v1('one'), v1('two')], [v2('two')])
    const list = join(await temporaryFolder(), 'patches.json')
    const folder = join(dirname(list), 'muster-patches/0-1/0a1b2c3d')
    await mkdir(folder, { recursive: true })
    await copyFile(await (await openRepository()).build(v2('one')), join(folder, 'one_2.0_all.deb'))

    const { status, output } = await fixWith(computer, list, 'one 2.0', 'two 2.0')

    expect(output).toContain('Installed: one 2.0\nInstalled: two 2.0\n')
    expect(status).toBe(0)
    expect(computer.installed()).toEqual({ one: '2.0', two: '2.0' })
  })

  test('the patch fix asks for a restart only if the system needs one', async () => {
    const computer = await computerWith([v1('one'), v1('two')], [v2('one'), v2('two')])

    const quiet = await fix(computer, 'one 2.0')
    await writeFile(computer.rebootSign, '')
    const asking = await fix(computer, 'two 2.0')

    expect([quiet.status, asking.status]).toEqual([0, 100])
  })

  test('the patch fix changes nothing if the version or a newer one is installed', async () => {
    const computer = await computerWith([v2('one')], [v2('one')])

    const { status } = await fix(computer, 'one 1.0', 'one 2.0')

    expect(status).toBe(0)
    expect(computer.installed()).toEqual({ one: '2.0' })
  })

  test('the patch fix changes nothing if the list is empty', async () => {
    const computer = await computerWith([v1('one')], [v2('one')])

    expect((await fix(computer)).status).toBe(0)
    expect(computer.installed()).toEqual({ one: '1.0' })
  })
})
