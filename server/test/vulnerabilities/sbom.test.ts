import { Spec, Validation } from '@cyclonedx/cyclonedx-library'
import { expect, test } from 'vitest'
import { parsePackageUrl } from '../../src/features/patches/components/package-url.ts'
import { findPlatformByPackage } from '../../src/features/patches/components/platforms.ts'
import { getComputerSbom } from '../../src/features/vulnerabilities/api/get-computer-sbom.ts'
import { getFleetSbom } from '../../src/features/vulnerabilities/api/get-fleet-sbom.ts'
import { buildSbom } from '../../src/features/vulnerabilities/sbom/build-sbom.ts'
import { readFleetProducts } from '../../src/features/vulnerabilities/sbom/installed-products.ts'
import { toPackageUrl } from '../../src/features/vulnerabilities/sbom/purl.ts'
import { builtFrom, openVulnerabilityWorld } from './vulnerability-world.ts'

const { as, db, given, computerWith } = await openVulnerabilityWorld()
const reader = as('computer.read')

const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6)

const sbomOf = async ({ id }: { id: number }) => (await reader.call(getComputerSbom, { params: { id } })).body

test('the bill of materials of a computer has its software, and package URLs for what is certainly a package', async () => {
  const computer = await computerWith([
    builtFrom('glass', 'libglass3', '1:3.0.15+dfsg-1~deb12u1'),
    { productName: 'Copied Tool', version: '2.0' },
  ])

  const sbom = await sbomOf(computer)

  expect(await validator.validate(JSON.stringify(sbom))).toBeNull()
  expect(sbom.metadata).toMatchObject({ timestamp: expect.any(String), component: { type: 'device' } })
  const platform = { name: 'muster:platform', value: 'debian-12' }
  expect(sbom.components.map(({ publisher: _, ...component }) => component)).toEqual([
    { type: 'application', name: 'Copied Tool', version: '2.0', properties: [platform] },
    {
      type: 'library',
      name: 'libglass3',
      version: '1:3.0.15+dfsg-1~deb12u1',
      purl: 'pkg:deb/debian/libglass3@1:3.0.15%2Bdfsg-1~deb12u1?distro=debian-12',
      properties: [platform, { name: 'muster:sourcePackage', value: 'glass@1:3.0.15+dfsg-1~deb12u1' }],
    },
  ])
})

test('a computer without an inventory has a valid document without software', async () => {
  const computer = await given.computer()

  const sbom = await sbomOf(computer)

  expect(await validator.validate(JSON.stringify(sbom))).toBeNull()
  expect(sbom.components).toEqual([])
  expect(sbom.metadata.timestamp).toBeUndefined()
  expect((await reader.call(getComputerSbom, { params: { id: 2_000_000_000 } })).status).toBe(404)
})

test('the document of a group counts the computers of each version and platform, also of groups below it', async () => {
  const parent = await given.group()
  const child = await given.group({ parent })
  const pane = builtFrom('pane', 'pane', '1.0-1')
  const debian = [await computerWith([pane, builtFrom('rare', 'rare', '1.0-1')]), await computerWith([pane])]
  const ubuntu = await computerWith([pane], { osName: 'Ubuntu', osVersion: '24.04' })
  const elsewhere = await computerWith([pane, builtFrom('other', 'other', '1.0-1')])
  for (const computer of [...debian, ubuntu]) await given.member(child, computer)

  const { body: ofGroup } = await reader.call(getFleetSbom, { query: { groupId: parent.id } })
  const { body: ofFleet } = await reader.call(getFleetSbom)

  expect(await validator.validate(JSON.stringify(ofGroup))).toBeNull()
  expect(await validator.validate(JSON.stringify(ofFleet))).toBeNull()
  const counted = ofGroup.components.map(({ name, properties }) => [
    name,
    properties.find((one) => one.name === 'muster:platform')?.value,
    properties.find((one) => one.name === 'muster:computers')?.value,
  ])
  expect(counted).toEqual([
    ['pane', 'debian-12', '2'],
    ['pane', 'ubuntu-24.04', '1'],
    ['rare', 'debian-12', '1'],
  ])
  expect(ofGroup.compositions).toEqual([{ aggregate: 'unknown' }])
  expect(ofFleet.components.map(({ name }) => name)).toContain('other')
  expect((await sbomOf(elsewhere)).components).toHaveLength(2)
  const unknown = '00000000-0000-4000-8000-000000000000'
  expect((await reader.call(getFleetSbom, { query: { groupId: unknown } })).status).toBe(404)
})

test('a document with too many components has those of most computers, and says that others are missing', async () => {
  await computerWith([builtFrom('common', 'common', '1.0-1'), builtFrom('single', 'single', '1.0-1')])
  for (let at = 0; at < 6; at++) await computerWith([builtFrom('common', 'common', '1.0-1')])

  const products = await readFleetProducts(db, undefined, 1)
  const sbom = buildSbom({ type: 'platform', name: 'All computers' }, null, products, { isComplete: false })

  expect(sbom.components.map(({ name }) => name)).toEqual(['common'])
  expect(sbom.compositions).toEqual([{ aggregate: 'incomplete' }])
  expect(await validator.validate(JSON.stringify(sbom))).toBeNull()
})

test.each([
  ['debian-12', 'libGlass3', '1:3.0+b-1', '1:3.0+b-1', 'libglass3', '1:3.0+b-1'],
  ['ubuntu-24.04', 'glass', '3.0-1ubuntu2', '3.0-1ubuntu2', 'glass', '3.0-1ubuntu2'],
  ['almalinux-9', 'glass-libs', '3.0-1.el9', '2:3.0-1.el9', 'glass-libs', '2:3.0-1.el9'],
  ['opensuse-leap-15.6', 'glass', '3.0-lp156.1', '3.0-lp156.1', 'glass', '3.0-lp156.1'],
])('the package URL of a package of %s means the same package to those who read advisories', (...given) => {
  const [platform, name, version, sourceVersion, readName, readVersion] = given

  const url = parsePackageUrl(toPackageUrl(platform, name, version, sourceVersion))

  expect(url).toMatchObject({ name: readName, version: readVersion })
  expect(findPlatformByPackage(url?.namespace ?? '', url?.distro ?? '', '')?.key).toBe(platform)
})
