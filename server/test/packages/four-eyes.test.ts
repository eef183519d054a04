import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { signPackage } from '@muster/package-format'
import { generateSecretKey } from '@muster/signing'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { getPackage } from '../../src/features/packages/api/get-package.ts'
import { setReadyToInstall } from '../../src/features/packages/api/set-ready-to-install.ts'
import { manifestOf, openPackageWorld } from './package-world.ts'

const key = generateSecretKey()
const world = await openPackageWorld({ fourEyes: true, trustedKeys: [key.publicKey] })
const { app, as, db, given, store, folder, imported, withToken } = world

/** A principal that may import and release. Each of its tokens is different. */
async function packager() {
  const { id, clientId } = await given.localPrincipal({ roles: ['package.read', 'package.write'] })
  const caller = withToken(await app.services.tokens.issue(id))
  return { id, clientId, caller, otherToken: withToken(await app.services.tokens.issue(id)) }
}

const [ada, bob] = [await packager(), await packager()]

async function importedBy({ caller }: typeof ada, name: string, content = 'content') {
  await folder(name, { 'muster-package.json': manifestOf({ name }), 'data.txt': content })
  return (await imported(name, true, caller)).packageId ?? ''
}

const release = (caller: typeof ada.caller, id: string, headers: Record<string, string> = {}) =>
  caller.call(setReadyToInstall, { params: { id }, body: { operational: true }, headers })

const readPackage = (id: string) => as('package.read').call(getPackage, { params: { id } })

test('the importer of a package cannot release it, with any token, and another principal can', async () => {
  const id = await importedBy(ada, 'pair')

  const own = await release(ada.caller, id)
  const withOtherToken = await release(ada.otherToken, id)
  const dryRun = await ada.caller.call(setReadyToInstall, {
    params: { id },
    body: { operational: true },
    query: { dryRun: true },
  })
  const released = (await readPackage(id)).body
  const others = await release(bob.caller, id)

  for (const refused of [own, withOtherToken, dryRun])
    expect(refused).toMatchObject({ status: 409, problem: 'FourEyesRequired' })
  expect(released).toMatchObject({ operational: false, importedBy: ada.clientId })
  expect(others.body.operational).toBe(true)
})

test('the importer of a package can withdraw it', async () => {
  const id = await importedBy(ada, 'withdrawn')
  await release(bob.caller, id)

  const cleared = await ada.caller.call(setReadyToInstall, { params: { id }, body: { operational: false } })

  expect(cleared.body.operational).toBe(false)
})

test('the same content imported by somebody else stays that of the first importer, and changed content does not', async () => {
  const id = await importedBy(ada, 'shared')
  await importedBy(bob, 'shared')
  const afterSame = await release(ada.caller, id)
  await importedBy(bob, 'shared', 'changed')

  expect(afterSame.problem).toBe('FourEyesRequired')
  expect((await release(bob.caller, id)).problem).toBe('FourEyesRequired')
  expect((await release(ada.caller, id)).status).toBe(200)
})

test('changed content must be released again, even if a trusted key has signed it', async () => {
  const id = await importedBy(ada, 'signed')
  await release(bob.caller, id)
  await folder('signed', { 'data.txt': 'changed' })
  await signPackage(join(store, 'signed'), key)

  await imported('signed', true, ada.caller)

  expect((await readPackage(id)).body).toMatchObject({ operational: false, signature: { trusted: true } })
})

test('a release with If-Match does not release content that was imported after it was read', async () => {
  const id = await importedBy(ada, 'race')
  const etag = (await readPackage(id)).headers.etag ?? ''
  await importedBy(ada, 'race', 'changed')

  const stale = await release(bob.caller, id, { 'if-match': etag })

  expect(stale.status).toBe(412)
  expect((await readPackage(id)).body.operational).toBe(false)
})

test('deleting the importer does not help: a principal with its name counts as the same, and others can release', async () => {
  const eve = await packager()
  const id = await importedBy(eve, 'deleted')
  await sql`delete from principals where id = ${eve.id}`.execute(db)
  const again = await packager()
  await sql`update local_principals set client_id = ${eve.clientId} where principal_id = ${again.id}`.execute(db)

  expect((await release(again.caller, id)).problem).toBe('FourEyesRequired')
  expect((await release(bob.caller, id)).status).toBe(200)
})

test('a package whose importer is not recorded is not released until it is imported again', async () => {
  const id = await importedBy(ada, 'unknown')
  await sql`update packages set importer_id = null, importer_name = null where id = ${id}`.execute(db)

  const refused = await release(bob.caller, id)
  await importedBy(ada, 'unknown')

  expect(refused).toMatchObject({ status: 409, problem: 'ImporterUnknown' })
  expect((await release(bob.caller, id)).status).toBe(200)
})

test('only the release operation and the import write the Ready-to-Install flag', () => {
  const source = join(import.meta.dirname, '../../src')
  const writers = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && file !== 'database/tables.ts')
    .filter((file) => /is_operational\s*(:|=(?!=))/.test(readFileSync(join(source, file), 'utf8')))

  expect(writers.sort()).toEqual([
    'features/packages/api/set-ready-to-install.ts',
    'features/packages/write-package.ts',
  ])
})
