import { spawnSync } from 'node:child_process'
import { cp, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { packageKinds } from '@muster/package-format'
import { expect, test } from 'vitest'
import { listPackages } from '../../src/features/packages/api/list-packages.ts'
import { temporaryFolder } from '../database/embedded-postgres/muster.ts'
import { repository } from '../world/service-process.ts'
import { openPackageWorld } from './package-world.ts'

const examples = join(repository, 'examples/packages')

const { as, store, imported } = await openPackageWorld()

test('every example package can be imported, and every kind has an example', async () => {
  await cp(examples, store, { recursive: true })

  for (const name of await readdir(examples)) expect(await imported(name), name).toMatchObject({ status: 'Success' })

  const { items } = (await as('package.read').call(listPackages)).body
  expect(new Set(items.map(({ kind }) => kind))).toEqual(new Set(Object.values(packageKinds)))
  const types = Object.fromEntries(items.map(({ packageName, type, subType }) => [packageName, [type, subType]]))
  expect(types).toMatchObject({
    greeting: ['Software', null],
    'disk-layout': ['Software', 'PreOs'],
    'inventory-scan': ['Software', 'InventoryScan'],
    'patch-fix': ['Software', 'PatchFix'],
    'example-os': ['OperatingSystem', null],
  })
})

type Command = { argv?: [string, ...string[]]; shell?: string; successCodes?: number[]; rebootCodes?: number[] }

/** Runs a command in the folder of the package, as an agent does. Returns whether it succeeded. */
async function run(name: string, action: string, root: string) {
  const { commands } = JSON.parse(await readFile(join(examples, name, 'muster-package.json'), 'utf8'))
  const { argv, shell = '', successCodes = [0], rebootCodes = [] }: Command = commands[action]
  const [program, ...args] = argv ?? ['sh', '-c', shell]
  const { status } = spawnSync(program, args, {
    cwd: join(examples, name),
    env: { PATH: process.env.PATH, MUSTER_EXAMPLE_ROOT: root },
    stdio: 'ignore',
  })
  return [...successCodes, ...rebootCodes].includes(status ?? -1)
}

test.each(['greeting', 'disk-layout'])(
  'the example %s can be installed, updated, detected and uninstalled without a trace',
  async (name) => {
    const root = join(await temporaryFolder(), 'examples')
    const steps = ['detect', 'uninstall', 'install', 'detect', 'update', 'detect', 'uninstall', 'detect']

    const results = []
    for (const step of steps) results.push(await run(name, step, root))

    expect(results).toEqual([false, true, true, true, true, true, true, false])
    await expect(readdir(root)).rejects.toThrow('ENOENT')
  },
)

test('the example greeting does not detect an older version, and its update keeps the changes of the user', async () => {
  const root = await temporaryFolder()
  await run('greeting', 'install', root)
  await writeFile(join(root, 'greeting/version'), '1.1.0')
  await writeFile(join(root, 'greeting/name'), 'Ada')

  const before = await run('greeting', 'detect', root)
  const updated = await run('greeting', 'update', root)

  expect([before, updated, await run('greeting', 'detect', root)]).toEqual([false, true, true])
  expect(await readFile(join(root, 'greeting/name'), 'utf8')).toBe('Ada')
})

test('the example inventory scan writes an inventory', async () => {
  const root = await temporaryFolder()

  expect(await run('inventory-scan', 'install', root)).toBe(true)

  expect(await readdir(root)).toEqual(['inventory.txt'])
})
