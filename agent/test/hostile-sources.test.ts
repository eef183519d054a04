import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { addExclude, isExcluded, removeExclude } from '../src/platform/linux/repositories/dnf-excludes.ts'
import { type DeclaredSource, readSource } from '../src/work/declared/read-source.ts'
import { generateSecretKey, signedWork } from './signed.ts'
import { openWorld } from './world.ts'

const key = '-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nmDMEZ0000=\n-----END PGP PUBLIC KEY BLOCK-----\n'
const repository = { url: 'https://packages.example.org/debian', suite: 'stable', components: ['main'], key }
const sourceOf = (changes: object) =>
  ({ package: 'deb:nginx', allowDowngrade: false, timeLimitMinutes: 60, ...changes }) as DeclaredSource

test.each([
  ['an option', { package: 'deb:-oAPT::Update::Pre-Invoke::=id' }],
  ['a removal', { package: 'deb:nginx-' }],
  ['another suite', { package: 'deb:nginx/evil' }],
  ['a version in the name', { package: 'deb:nginx=1' }],
  ['a second line', { package: 'deb:nginx\nevil' }],
  ['a group', { package: 'rpm:@core' }],
  ['a pattern', { package: 'rpm:*' }],
  ['a file', { package: 'rpm:/tmp/evil.rpm' }],
  ['another family', { package: 'npm:left-pad' }],
  ['no version', { version: '$(id)' }],
  ['a pattern of versions', { version: '1.*' }],
  ['two versions', { version: '1', minVersion: '1' }],
  ['http', { repository: { ...repository, url: 'http://packages.example.org' } }],
  ['a second line of the address', { repository: { ...repository, url: 'https://a.org\nTrusted: yes' } }],
  ['a way up', { repository: { ...repository, url: 'file:///srv/../tmp' } }],
  ['credentials', { repository: { ...repository, url: 'https://a:b@a.org' } }],
  ['a second line of the suite', { repository: { ...repository, suite: 'stable\nTrusted: yes' } }],
  ['an option as component', { repository: { ...repository, components: ['main\nTrusted:yes'] } }],
  ['no components', { repository: { ...repository, components: [] } }],
  ['no key', { repository: { ...repository, key: '' } }],
  ['a path as key', { repository: { ...repository, key: '/etc/shadow' } }],
])('a source with %s is refused by the agent itself', (_what, changes) => {
  expect(() => readSource(sourceOf(changes))).toThrow(/^its (source|repository) /)
})

test('a package of another family is refused before anything runs, and the result says why', async () => {
  const { root, environment, server, runOnce } = await openWorld()
  const system = join(root, 'system')
  await mkdir(join(system, 'etc'), { recursive: true })
  await writeFile(
    join(system, 'etc/os-release'),
    'ID=rocky\nID_LIKE="rhel centos fedora"\nPRETTY_NAME="Rocky Linux 9"\n',
  )
  environment.MUSTER_SYSTEM_ROOT = system
  const workId = server.give({ declared: { source: sourceOf({}) } })

  await runOnce()

  expect(server.resultOf(workId)).toMatchObject({
    status: 'Failed',
    exitCode: null,
    errorText: expect.stringContaining('it is a deb package, and Rocky Linux 9 has rpm packages'),
  })
})

test('a signature covers the source of a package', async () => {
  const signer = generateSecretKey()
  const { root, environment, server, runOnce, agent } = await openWorld()
  // Of another family: nothing is installed.
  environment.MUSTER_SYSTEM_ROOT = root
  await mkdir(join(root, 'etc'))
  await writeFile(join(root, 'etc/os-release'), 'ID=fedora\n')
  await agent('trust-key', signer.publicKey.text)
  const { files } = signedWork(signer, 'unused', { commands: undefined, source: { package: 'deb:nginx' } }, {})
  const signed = server.give({ files, declared: { source: sourceOf({}) } })
  const changed = server.give({ files, declared: { source: sourceOf({ package: 'deb:evil' }) } })

  await runOnce()

  expect(server.resultOf(signed)?.errorText).toContain('it is a deb package')
  expect(server.resultOf(changed)?.errorText).toContain('commands that differ')
})

test('a name is added to the excluded packages of dnf.conf and removed again, and everything else stays', () => {
  const text = '[main]\ngpgcheck=1\nexcludepkgs=kernel*, one\n\n[other]\nexcludepkgs=two\n'

  expect(addExclude(text, 'two')).toBe(text.replace('kernel*, one', 'kernel* one two'))
  expect(isExcluded(text, 'two')).toBe(false)
  expect(removeExclude(addExclude(text, 'two'), 'two')).toBe(text.replace(', ', ' '))
  const bare = '[main]\ngpgcheck=1\n'
  expect(addExclude(bare, 'one')).toBe('[main]\nexcludepkgs=one\ngpgcheck=1\n')
  expect(removeExclude(addExclude(bare, 'one'), 'one')).toBe(bare)
})
