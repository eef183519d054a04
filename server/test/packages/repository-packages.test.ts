import { expect, test } from 'vitest'
import { toJobCommands } from '../../src/channels/fusion/jobs/job-commands.ts'
import { loadPackageContent } from '../../src/features/deployments/started-work/package-content.ts'
import { addRepositoryPackage } from '../../src/features/packages/api/add-repository-package.ts'
import { getPackage } from '../../src/features/packages/api/get-package.ts'
import { manifestOf, openPackageWorld } from './package-world.ts'

const { as, db, ended, folder, imported } = await openPackageWorld()

const key =
  '-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nmDMEZ0000BYJKwYBBAHaRw8BAQdA=\n=0000\n-----END PGP PUBLIC KEY BLOCK-----\n'
const repository = { url: 'https://packages.example.org/debian', suite: 'stable', components: ['main'], key }

async function added(body: object) {
  const { body: answer } = await as('package.write').call(addRepositoryPackage, { body: body as never })
  return ended(answer.trackingId)
}

test('a package of a repository is made without a file, and work on it has its source and no command', async () => {
  const source = { package: 'deb:nginx', version: '1:1.26.3-3', repository, keepVersion: true }

  const { status, packageId } = await added({ source, displayName: 'Web server' })

  expect(status).toBe('Success')
  const id = packageId ?? ''
  expect((await as('package.read').call(getPackage, { params: { id } })).body).toMatchObject({
    ...{ name: 'Web server', packageName: 'nginx', version: '1:1.26.3-3', kind: 'Software', operational: false },
    os: expect.arrayContaining(['Debian', 'Ubuntu']),
  })
  const content = await loadPackageContent(db, id)
  expect(content.declared).toEqual({ commands: {}, source: { ...source, allowDowngrade: false, timeLimitMinutes: 60 } })
  expect(content.commands.install?.shell).toContain('newer version of the Muster agent')
  expect(content.files.map(({ path }) => path)).toEqual(['muster-package.json'])
  expect(toJobCommands(content, false)).toContain('needs the agent of Muster')
})

test('name, version, category and systems of such a package can be chosen, and a second one needs overwrite', async () => {
  const given = {
    source: { package: 'rpm:httpd', minVersion: '2.4' },
    category: 'Servers',
    operatingSystems: ['Linux'],
  }

  const first = await added({ ...given, name: 'web', version: '2', description: 'Answers requests' })
  const again = await added({ ...given, name: 'web', version: '2' })
  const replaced = await added({ ...given, name: 'web', version: '2', overwrite: true })

  expect([first.status, again.status, replaced.status]).toEqual(['Success', 'Failed', 'Success'])
  expect(again.message).toContain('exists already')
  expect(replaced.packageId).toBe(first.packageId)
  const { body } = await as('package.read').call(getPackage, { params: { id: first.packageId ?? '' } })
  expect(body).toMatchObject({ packageName: 'web', version: '2', os: ['Linux'] })
})

const from = (changes: object) => ({ package: 'deb:nginx', ...changes })

test.each([
  ['an option as its name', from({ package: 'deb:-oDir::Etc=/tmp' }), 'source.package'],
  ['a name that apt takes for a removal', from({ package: 'deb:nginx-' }), 'source.package'],
  ['a pattern as its name', from({ package: 'rpm:*' }), 'source.package'],
  ['a path as its name', from({ package: 'rpm:/tmp/x.rpm' }), 'source.package'],
  ['a version with a space', from({ version: '1.0 bash' }), 'source.version'],
  ['a version with a pattern', from({ version: '1.*' }), 'source.version'],
  ['a version of another family', from({ version: 'a_1' }), 'source.version'],
  ['two versions', from({ version: '1.0', minVersion: '1.0' }), 'source'],
  ['a downgrade without an exact version', from({ allowDowngrade: true }), 'source.allowDowngrade'],
  [
    'a repository over http',
    from({ repository: { ...repository, url: 'http://example.org' } }),
    'source.repository.url',
  ],
  [
    'a second line in the address',
    from({ repository: { ...repository, url: 'https://a.org/x\nTrusted: yes' } }),
    'url',
  ],
  ['credentials in the address', from({ repository: { ...repository, url: 'https://a:b@a.org' } }), 'url'],
  ['a second line in the suite', from({ repository: { ...repository, suite: 'stable\nTrusted: yes' } }), 'suite'],
  ['no components', from({ repository: { ...repository, components: undefined } }), 'source.repository.components'],
  ['a suite for rpm', { package: 'rpm:httpd', repository }, 'source.repository'],
  ['something else as the key', from({ repository: { ...repository, key: 'none' } }), 'source.repository.key'],
])('a source with %s is refused at once', async (_what, source, property) => {
  const { status, raw } = await as('package.write').call(addRepositoryPackage, { body: { source } as never })

  expect(status).toBe(400)
  expect(JSON.stringify(raw)).toContain(property)
})

test.each([
  ['commands', { commands: { install: { argv: ['true'] } } }, "'commands' must not be given with source"],
  ['secrets', { secrets: ['Licence.Key'] }, "'secrets' must not be given with source"],
  ['Windows', { operatingSystems: ['Windows'] }, 'must not name Windows'],
])('a folder whose manifest has a source and %s is not imported', async (name, changes, reason) => {
  const source = { package: 'deb:nginx' }
  const manifest = manifestOf({ name: `source-${name}`, commands: undefined, source, ...changes })
  const path = await folder(`source-${name}`, { 'muster-package.json': manifest })

  expect((await imported(path)).message).toContain(reason)
})
