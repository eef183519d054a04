import { describe, expect, test } from 'vitest'
import { getAgentTemplate } from '../../src/features/packages/api/agent-templates/get-agent-template.ts'
import { listAgentTemplates } from '../../src/features/packages/api/agent-templates/list-agent-templates.ts'
import { searchAgentTemplates } from '../../src/features/packages/api/agent-templates/search-agent-templates.ts'
import { getLanguagePackImport } from '../../src/features/packages/api/language-packs/get-language-pack-import.ts'
import { listLanguagePackImports } from '../../src/features/packages/api/language-packs/list-language-pack-imports.ts'
import { searchLanguagePackImports } from '../../src/features/packages/api/language-packs/search-language-pack-imports.ts'
import { getOperatingSystemImport } from '../../src/features/packages/api/operating-systems/get-operating-system-import.ts'
import { listOperatingSystemImports } from '../../src/features/packages/api/operating-systems/list-operating-system-imports.ts'
import { searchOperatingSystemImports } from '../../src/features/packages/api/operating-systems/search-operating-system-imports.ts'
import { getPxeBootImage } from '../../src/features/packages/api/pxe-boot-images/get-pxe-boot-image.ts'
import { listPxeBootImages } from '../../src/features/packages/api/pxe-boot-images/list-pxe-boot-images.ts'
import { searchPxeBootImages } from '../../src/features/packages/api/pxe-boot-images/search-pxe-boot-images.ts'
import { getSoftwareClass } from '../../src/features/packages/api/software-classes/get-software-class.ts'
import { listSoftwareClasses } from '../../src/features/packages/api/software-classes/list-software-classes.ts'
import { searchSoftwareClasses } from '../../src/features/packages/api/software-classes/search-software-classes.ts'
import type { AnyOperation } from '../../src/platform/operation.ts'
import { openWorld } from '../world/open-world.ts'

const { as, given } = await openWorld()
const reader = as('package.read')

const image = {
  imagePath: 'images/eleven/install.wim',
  osLanguage: 'de-DE',
  os: 'Windows 11',
  osType: 'Workstation',
  osArchitecture: 'x64',
}

test('an operating system is shown with its image and its editions, sorted by number', async () => {
  const { id, skus } = await given.osImage({ name: 'Eleven', folder: 'images/eleven', editions: ['Home', 'Pro'] })

  const read = await reader.call(getOperatingSystemImport, { params: { id } })

  const sku = (at: number, edition: string) => ({
    skuId: skus[at]?.id,
    skuIndex: at + 1,
    edition,
    packageId: id,
    imageName: 'Eleven',
  })
  const known = { id, name: 'Eleven', version: '1.0', description: null, operational: true }
  expect(read.body).toEqual({ ...known, ...image, skus: [sku(0, 'Home'), sku(1, 'Pro')] })
})

test('a boot image is shown with the paths of its files', async () => {
  const { id, packageId } = await given.pxeBootImage({ name: 'Boot', folder: 'boot/one', is_operational: true })

  const read = await reader.call(getPxeBootImage, { params: { id } })

  expect(read.body).toEqual({
    id,
    packageId,
    name: 'Boot',
    version: '1.0',
    description: null,
    operational: true,
    architecture: 'x64',
    loaderPath: 'boot/one/grub.efi',
    kernelPath: 'boot/one/vmlinuz',
    initrdPath: 'boot/one/initrd.img',
    kernelArguments: 'quiet',
  })
})

test('a language pack is shown with its language and its image', async () => {
  const { id } = await given.languagePack({ name: 'French', folder: 'images/french', language: 'fr-FR' })

  const read = await reader.call(getLanguagePackImport, { params: { id } })

  const known = { id, name: 'French', version: '1.0', description: null, operational: false }
  expect(read.body).toEqual({ ...known, ...image, imagePath: 'images/french/lp.cab', osLanguage: 'fr-FR' })
})

test('an agent template is shown with settings of all types', async () => {
  const settings = { contactIntervalMinutes: 60, proxy: 'http://proxy.example.org', quiet: true }
  const { id } = await given.agentTemplate({ name: 'Branch', description: 'For branches', settings })

  const read = await reader.call(getAgentTemplate, { params: { id } })

  const known = { id, name: 'Branch', version: '1.0', description: 'For branches', operational: true }
  expect(read.body).toEqual({ ...known, settings })
})

test('a software class is shown with its packages', async () => {
  const packages = [await given.package(), await given.package()]
  const { id, name } = await given.softwareClass({ description: 'One of them', packages })

  const read = await reader.call(getSoftwareClass, { params: { id } })

  expect(read.body).toMatchObject({ id, name, description: 'One of them' })
  expect(read.body.packages.map((one) => one.id)).toEqual(packages.map((one) => one.id))
})

test('properties that a manifest lacks are null, and backslashes in paths are shown as slashes', async () => {
  const manifest = JSON.stringify({ image: { file: 'sources\\install.wim' } })
  const bare = await given.osImage({ manifest: null, folder: null })
  const template = await given.agentTemplate({ manifest: null })
  const odd = await given.osImage({ manifest, folder: 'odd' })

  const [read, other, settings] = await Promise.all([
    reader.call(getOperatingSystemImport, { params: { id: bare.id } }),
    reader.call(getOperatingSystemImport, { params: { id: odd.id } }),
    reader.call(getAgentTemplate, { params: { id: template.id } }),
  ])

  expect(read.body).toMatchObject({ imagePath: null, osLanguage: null, os: null, osType: null, osArchitecture: null })
  expect(other.body).toMatchObject({ imagePath: 'odd/sources/install.wim', os: null })
  expect(settings.body.settings).toEqual({})
})

const idsOf = (page: { items: { id: number | string }[] }) => page.items.map(({ id }) => id)

const kinds: { kind: string; list: AnyOperation; make(): Promise<{ id: number | string }> }[] = [
  { kind: 'operating systems', list: listOperatingSystemImports, make: () => given.osImage() },
  { kind: 'boot images', list: listPxeBootImages, make: () => given.pxeBootImage() },
  { kind: 'language packs', list: listLanguagePackImports, make: () => given.languagePack() },
  { kind: 'agent templates', list: listAgentTemplates, make: () => given.agentTemplate() },
  { kind: 'software classes', list: listSoftwareClasses, make: () => given.softwareClass() },
]

describe.each(kinds)('lists of $kind', ({ list, make }) => {
  test('a list has every object of its kind exactly once over all pages, sorted by id', async () => {
    const made = [await make(), await make(), await make()].map(({ id }) => id)
    await given.package()

    const whole = await reader.call(list, { query: { top: 1000 } })
    const { totalCount } = whole.body
    const pages = await Promise.all(
      Array.from({ length: totalCount }, (_, skip) => reader.call(list, { query: { skip, top: 1 } })),
    )

    const ids = idsOf(whole.body)
    expect(ids).toEqual(expect.arrayContaining(made))
    expect(ids.filter((id) => made.includes(id))).toEqual(made)
    expect(ids).toHaveLength(totalCount)
    expect(pages.flatMap(({ body }) => idsOf(body))).toEqual(ids)
  })
})

describe('searches', () => {
  const searches: { search: AnyOperation; make(name: string): Promise<{ id: number | string }> }[] = [
    { search: searchOperatingSystemImports, make: (name: string) => given.osImage({ name }) },
    { search: searchPxeBootImages, make: (name: string) => given.pxeBootImage({ name }) },
    { search: searchLanguagePackImports, make: (name: string) => given.languagePack({ name }) },
    { search: searchAgentTemplates, make: (name: string) => given.agentTemplate({ name }) },
    { search: searchSoftwareClasses, make: (name: string) => given.softwareClass({ name }) },
  ]

  test.each(searches)(
    '$search.id takes every character of a name literally and ignores case',
    async ({ search, make }) => {
      const found = await make('100%_Sure\\Thing')
      await make('100 more Sure Things')

      const searched = await reader.call(search, { body: { name: '%_sure\\T' } })

      expect(idsOf(searched.body)).toEqual([found.id])
    },
  )

  test.each(searches)('$search.id finds everything without criteria', async ({ search, make }) => {
    const { id } = await make('anything')

    const searched = [{}, { name: null }, { name: '' }].map((body) =>
      reader.call(search, { body, query: { top: 1000 } }),
    )
    const none = await reader.call(search, { query: { top: 1000 } })

    expect(idsOf(none.body)).toContain(id)
    for (const { body } of await Promise.all(searched)) expect(body).toEqual(none.body)
  })

  test.each(searches)('$search.id refuses criteria of more than 255 characters', async ({ search }) => {
    const refused = await reader.call(search, { body: { name: 'x'.repeat(256) } })

    expect(refused).toMatchObject({ status: 400, raw: { errors: [{ name: 'name' }] } })
  })

  test('a search for operating systems combines criteria on the image and on the editions', async () => {
    const about = (language: string) => JSON.stringify({ image: { language, os: 'Plan 9', architecture: 'mips' } })
    const one = await given.osImage({ manifest: about('eo-001'), editions: ['Bell', 'Fourth'] })
    const other = await given.osImage({ manifest: about('eo-002'), editions: ['Bell'] })
    const search = async (body: object) => idsOf((await reader.call(searchOperatingSystemImports, { body })).body)

    expect(await search({ os: 'plan', osArchitecture: 'MIPS' })).toEqual([one.id, other.id])
    expect(await search({ os: 'plan', osLanguage: '-001' })).toEqual([one.id])
    expect(await search({ os: 'plan', edition: 'fourth' })).toEqual([one.id])
    expect(await search({ os: 'plan', osType: 'Server' })).toEqual([])
  })

  test('a search for language packs uses the properties of the image', async () => {
    const one = await given.languagePack({ language: 'tlh-AQ' })
    const other = await given.languagePack({ language: 'tlh-US' })
    const search = async (body: object) => idsOf((await reader.call(searchLanguagePackImports, { body })).body)

    expect(await search({ osLanguage: 'TLH' })).toEqual([one.id, other.id])
    expect(await search({ osLanguage: 'tlh', os: 'windows', osType: 'work', osArchitecture: '64' })).toEqual([
      one.id,
      other.id,
    ])
    expect(await search({ osLanguage: 'tlh-a', name: other.name })).toEqual([])
  })

  test('a search for boot images uses version and architecture', async () => {
    const manifest = JSON.stringify({ boot: { architecture: 'riscv64' } })
    const one = await given.pxeBootImage({ manifest, version: '7.1' })
    await given.pxeBootImage({ manifest, version: '8.2' })

    const searched = await reader.call(searchPxeBootImages, { body: { architecture: 'RISC', version: '7.' } })

    expect(idsOf(searched.body)).toEqual([one.id])
  })

  test('a search for agent templates uses version and description', async () => {
    const one = await given.agentTemplate({ description: 'For the harbour', version: '7.1' })
    await given.agentTemplate({ description: 'For the harbour', version: '8.2' })

    const searched = await reader.call(searchAgentTemplates, { body: { description: 'HARBOUR', version: '7' } })

    expect(idsOf(searched.body)).toEqual([one.id])
  })

  test('a search for software classes uses the description and the names of their packages', async () => {
    const packages = [await given.package({ name: 'Netsurf', package_name: 'org.netsurf' }), await given.package()]
    const one = await given.softwareClass({ description: 'To look at pages', packages })
    await given.softwareClass({ description: 'To look at pages' })
    const search = async (body: object) => idsOf((await reader.call(searchSoftwareClasses, { body })).body)

    expect(await search({ packageName: 'SURF' })).toEqual([one.id])
    expect(await search({ packageName: 'org.net', description: 'pages' })).toEqual([one.id])
    expect(await search({ packageName: 'netsurf', name: 'unheard of' })).toEqual([])
  })
})
