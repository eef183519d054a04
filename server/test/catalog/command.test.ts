import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { openWorld } from '../world/open-world.ts'
import { bundledProgram } from '../world/programs.ts'

const { app, given } = await openWorld()
const address = await app.http.listen({ host: '127.0.0.1', port: 0 })
const { clientId, secret } = await given.localPrincipal({ roles: ['package.read', 'package.write'] })
const folder = await mkdtemp(join(tmpdir(), 'muster-catalog-'))
afterAll(() => rm(folder, { recursive: true }))

const command = bundledProgram('cli/catalog')
const run = (...args: string[]) =>
  promisify(execFile)(process.execPath, [command, ...args], {
    env: { ...process.env, MUSTER_URL: address, MUSTER_CLIENT_ID: clientId, MUSTER_CLIENT_SECRET: secret },
  }).catch((failed: { code: number; stdout: string; stderr: string }) => failed)

test('the catalog command plans, applies and exports a YAML document', async () => {
  const file = join(folder, 'catalog.yaml')
  await writeFile(
    file,
    'variableDefinitions:\n  - name: Printing\n    kind: Category\n    children:\n      - name: Server\n',
  )

  const planned = await run('plan', file)
  const applied = await run('apply', file)
  await run('export', join(folder, 'out.json'))
  const again = await run('apply', join(folder, 'out.json'), '--remove-missing')

  expect(planned.stdout).toContain('add    variableDefinitions Printing.Server')
  expect(planned.stdout).toContain('Planned: 2 added')
  expect(applied.stdout).toContain('Applied: 2 added, 0 changed, 0 removed.')
  expect(JSON.parse(await readFile(join(folder, 'out.json'), 'utf8'))).toHaveProperty('variableConfigurations', [])
  expect(again.stdout).toContain('Applied: 0 added, 0 changed, 0 removed.')
})

test('the catalog command explains a mistake in the document in one sentence and exits with code 1', async () => {
  const file = join(folder, 'wrong.yaml')
  await writeFile(file, 'variables: []\n')

  const failed = await run('apply', file)

  expect(failed).toMatchObject({ code: 1, stderr: "body 'catalog.variables' is an unknown property\n" })
})

test('the catalog command shows its usage with --help', async () => {
  expect((await run('--help')).stdout).toContain('npm run catalog -- plan FILE')
})
