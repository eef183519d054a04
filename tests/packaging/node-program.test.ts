import { execFile } from 'node:child_process'
import { appendFile, copyFile, mkdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../server/test/database/embedded-postgres/muster.ts'
import programs from '../../tools/node-programs.json' with { type: 'json' }

const repository = join(import.meta.dirname, '../..')
const verifier = join(repository, 'tools/verify-node.mjs')
const run = promisify(execFile)

type Failed = { code: number; stderr: string }
const verify = (...args: string[]) =>
  run(process.execPath, [verifier, ...args]).then(
    ({ stderr }) => ({ code: 0, stderr }),
    ({ code, stderr }: Failed) => ({ code, stderr }),
  )

const readScripts = async () => JSON.parse(await readFile(join(repository, 'package.json'), 'utf8'))

test('the Node of this checkout is the known one', async () => {
  expect(await verify()).toEqual({ code: 0, stderr: '' })
})

test('a Node that is not the known one is deleted, and the installation fails', async () => {
  const folder = await temporaryFolder()
  const program = join(folder, 'node_modules/node/bin/node')
  await mkdir(join(program, '..'), { recursive: true })
  await copyFile(join(repository, 'node_modules/node/bin/node'), program)
  const before = await verify(folder)
  await appendFile(program, 'x')

  const { code, stderr } = await verify(folder)

  expect(before.code).toBe(0)
  expect(code).toBe(1)
  expect(stderr).toContain(`is not Node ${programs.version}`)
  await expect(stat(program)).rejects.toThrow('ENOENT')
})

test('an installation and a build of packages verify Node before they use it, with the Node that runs npm', async () => {
  const { scripts, dependencies } = await readScripts()

  for (const name of ['prepare', 'package'])
    expect(scripts[name]).toMatch(/^"\$npm_node_execpath" tools\/verify-node\.mjs && node /)
  expect(dependencies.node).toBe(programs.version)
})
