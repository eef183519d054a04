import { randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { signPackage } from '@muster/package-format'
import { generateSecretKey } from '@muster/signing'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { activateComputer } from '../../server/src/features/deployments/api/activation/activate-computer.ts'
import { listSoftwareDeployments } from '../../server/src/features/deployments/api/history/list-software-deployments.ts'
import { contentPathOf } from '../../server/src/features/packages/content/content-folder.ts'
import { openAgentWorld, sha256Of } from '../../server/test/channels/agent/agent-world.ts'
import { manifestOf, withImports } from '../../server/test/packages/package-world.ts'
import { enrolAgent } from './agents.ts'

const key = generateSecretKey()
const { app, as, db, given, store, folder, imported, enrolmentToken } = await withImports(await openAgentWorld())
const server = await app.http.listen({ host: '127.0.0.1', port: 0 })

async function signedPackage(name: string, content = 'ls') {
  const commands = { install: { shell: 'mkdir -p "$MUSTER_EXAMPLE_ROOT"; sh install.sh > "$MUSTER_EXAMPLE_ROOT/out"' } }
  await folder(name, { 'muster-package.json': manifestOf({ name, commands }), 'install.sh': content })
  await signPackage(join(store, name), key)
  const id = (await imported(name)).packageId ?? ''
  await sql`update packages set is_operational = true where id = ${id}`.execute(db)
  return { id }
}

/** An attacker with write access to the database, the package store and the service. */
const attacks: Record<string, (target: { id: string }, other: { id: string }) => Promise<unknown>> = {
  'changes the commands in the table': ({ id }) =>
    sql`update packages set manifest = jsonb_set(manifest, '{commands,install,shell}', '"echo evil"') where id = ${id}`.execute(
      db,
    ),
  'swaps a file': async ({ id }) => {
    await writeFile(contentPathOf(store, sha256Of('echo other')), 'evil evil!')
    await sql`update package_files set sha256 = decode(${sha256Of('echo other')}, 'hex'), size = 10
      where package_id = ${id} and path = 'install.sh'`.execute(db)
  },
  'removes the signature': ({ id }) =>
    sql`delete from package_files where package_id = ${id} and path like '%.minisig'`.execute(db),
  'hands out the content of another signed package': async ({ id }, { id: other }) => {
    await sql`delete from package_files where package_id = ${id}`.execute(db)
    await sql`insert into package_files (package_id, path, size, sha256)
      select ${id}, path, size, sha256 from package_files where package_id = ${other}`.execute(db)
    await sql`update packages set manifest = other.manifest from packages as other
      where packages.id = ${id} and other.id = ${other}`.execute(db)
  },
}

test('a real agent with a pinned key installs what was signed, and nothing that the database says otherwise', async () => {
  const { token } = await enrolmentToken()
  const agent = await enrolAgent({ server, token, name: `pinned-${randomUUID()}`, trustKey: key.publicKey.text })
  const [intact, other] = [await signedPackage('intact', 'echo signed'), await signedPackage('other', 'echo other')]
  const unsigned = await folder('plain', { 'muster-package.json': manifestOf({ name: 'plain' }) })
  const attacked = [{ what: 'has signed nothing', id: (await imported(unsigned)).packageId ?? '' }]
  await sql`update packages set is_operational = true where id = ${attacked[0]?.id}`.execute(db)
  for (const [what, attack] of Object.entries(attacks)) {
    const target = await signedPackage(what, 'echo target')
    await attack(target, other)
    attacked.push({ what, ...target })
  }
  const computer = { id: agent.clientId }
  const group = await given.group()
  await given.member(group, computer)
  for (const target of [intact, ...attacked]) await given.assignment(group, target, 'package')
  await as('activation.execute').call(activateComputer, { params: computer, body: { software: true } })

  await agent.runOnce()

  const deploymentOf = async ({ id: packageId }: { id: string }) => {
    const query = { packageId }
    return (await as('computer.read').call(listSoftwareDeployments, { params: computer, query })).body[0]
  }
  expect(await deploymentOf(intact)).toMatchObject({ status: 'Success', errorText: null })
  expect(await readFile(join(agent.root, 'out'), 'utf8')).toBe('signed\n')
  const reasons = Object.fromEntries(
    await Promise.all(attacked.map(async (target) => [target.what, (await deploymentOf(target))?.errorText] as const)),
  )
  expect(reasons).toEqual({
    'has signed nothing': expect.stringContaining(`The package is not signed. This agent runs only what`),
    'changes the commands in the table': expect.stringContaining(
      'commands that differ from those in the signed manifest',
    ),
    'swaps a file': expect.stringContaining('files that differ from those in the signed manifest'),
    'removes the signature': expect.stringContaining('The package is not signed'),
    'hands out the content of another signed package': expect.stringContaining('belongs to the package other 1.0'),
  })
}, 60_000)
