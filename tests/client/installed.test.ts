import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run } from '../../tools/package/run.ts'
import { openClientWorld } from './client-world.ts'
import { findNode, olderNodes } from './installed/older-nodes.ts'
import { compileProgram, installClient } from './installed/project.ts'

const { address, credentials, given } = await openClientWorld()
for (const name of ['pc-1', 'pc-2', 'pc-3']) await given.computer({ name })

const folder = await mkdtemp(join(tmpdir(), 'muster-client-'))
const project = join(folder, 'project')
afterAll(() => rm(folder, { recursive: true }))
beforeAll(async () => {
  await installClient(folder)
  await compileProgram(project, 'browser')
}, 120_000)

/** What the program says when this Node runs it. */
async function runProgram(node: string): Promise<unknown> {
  const { clientId, clientSecret } = credentials
  const program = join(project, 'program.js')
  const { stdout } = await run(node, [program, address, clientId, clientSecret], { env: {} })
  return JSON.parse(stdout)
}

const expected = (version: string) => ({
  node: version,
  names: ['pc-1', 'pc-2', 'pc-3'],
  isKnown: true,
  problem: 404,
  uploadedBytes: `sent by Node ${version}`.length,
})

test('the installed package has built modules with their types, its license and a description, and no sources', async () => {
  const installed = join(project, 'node_modules/@muster/client')
  const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')) as object

  expect(manifest).toMatchObject({
    name: '@muster/client',
    type: 'module',
    exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
  })
  expect(manifest).not.toHaveProperty('private')
  const { stdout } = await run('find', [installed, '-type', 'f', '-printf', '%P\n'])
  const files = stdout.trim().split('\n')
  expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'dist/types.d.ts', 'dist/upload.js']))
  expect(files.filter((file) => /\.ts$/.test(file) && !file.endsWith('.d.ts'))).toEqual([])
})

test('a program compiles strictly with the types of Node alone as well', { timeout: 60_000 }, async () => {
  await compileProgram(project, 'node')
})

test('a program runs with the Node of this project', async () => {
  expect(await runProgram(process.execPath)).toEqual(expected(process.versions.node))
})

test.for(olderNodes)('a program runs with Node %s', { timeout: 120_000 }, async (version, { skip }) => {
  const found = await findNode(version)
  if ('reason' in found) return skip(found.reason)

  expect(await runProgram(found.program)).toEqual(expected(version))
})
