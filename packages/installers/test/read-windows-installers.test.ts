import { readFile, truncate } from 'node:fs/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { publisherIdOf } from '../src/archive/read-msix.ts'
import { unpackLzmaBeginning } from '../src/exe/lzma.ts'
import { readInstaller } from '../src/index.ts'
import {
  burnBundleId,
  makeBurn,
  makeInno,
  makeInstallShield,
  makeSevenZip,
  makeSquirrel,
  packLzma,
} from './samples/families.ts'
import { openSampleFolder, requireTools } from './samples/folder.ts'
import { makeMsi, productCode, upgradeCode } from './samples/msi.ts'
import { makeNsis, signProgram } from './samples/nsis.ts'
import { makeProgram } from './samples/program.ts'
import { makeZip } from './samples/zip.ts'

const folder = await openSampleFolder()
beforeAll(requireTools)

describe('MSI files', () => {
  test('product, codes, language, architecture, scope, properties and conditions are read', async () => {
    const file = await makeMsi(folder, { name: 'Prüf 1.2', version: '1.2.3', architecture: 'x64', scope: 'perMachine' })

    expect(await readInstaller(file)).toMatchObject({
      format: 'msi',
      productName: 'Prüf 1.2',
      productVersion: '1.2.3',
      manufacturer: 'Beispiel GmbH',
      productCode,
      upgradeCode,
      language: 1031,
      architecture: 'x64',
      scope: 'machine',
      properties: { ALLUSERS: '1', SAMPLE0: 'value 0' },
      conditions: ['This software needs Windows 10.'],
    })
  })

  test('all properties are those that msiinfo exports', async () => {
    const file = await makeMsi(
      folder,
      { name: 'Large', version: '2.0.0', architecture: 'x86', scope: 'perUser', propertyCount: 3_000 },
      'large.msi',
    )
    const { stdout } = await folder.run('msiinfo', 'export', file, 'Property')
    const exported = stdout
      .split(/\r?\n/)
      .slice(3)
      .map((line) => line.split('\t'))
      .filter(([name = '']) => /^[A-Z_][A-Z0-9_.]*$/.test(name))

    const facts = await readInstaller(file)

    expect(exported.length).toBeGreaterThanOrEqual(3_000)
    expect(facts).toMatchObject({ architecture: 'x86', scope: 'user', properties: Object.fromEntries(exported) })
  })

  test('a small part of a file of two gigabytes is read', async () => {
    const file = await makeMsi(
      folder,
      { name: 'Huge', version: '1.0.0', architecture: 'x64', scope: 'perMachine' },
      'huge.msi',
    )
    await truncate(file, 2 * 1024 ** 3)

    const limits = { maxFileBytes: 4 * 1024 ** 3, maxReadBytes: 2 * 1024 ** 2, maxUnpackedBytes: 0, maxEntries: 0 }
    const facts = await readInstaller(file, { ...limits, timeLimitMs: 10_000 })

    expect(facts).toMatchObject({ productName: 'Huge', fileBytes: 2 * 1024 ** 3 })
  })
})

describe('programs', () => {
  test('an installer of NSIS is recognised, with its version resource and the version of NSIS', async () => {
    expect(await readInstaller(await makeNsis(folder))).toMatchObject({
      format: 'exe',
      family: 'nsis',
      familyVersion: expect.stringMatching(/^\d/),
      productVersion: '3.4.5',
      versionTexts: { ProductName: 'Sample Editor', CompanyName: 'Example Corporation' },
      needsAdministrator: true,
    })
  })

  test('the signer of a program is the subject of the certificate that signed it', async () => {
    const file = await signProgram(folder, await makeNsis(folder, 'to-sign.exe'))

    expect(await readInstaller(file)).toMatchObject({
      family: 'nsis',
      signer: { name: 'Example Signing', organisation: 'Example Corporation', issuer: 'Example Signing' },
    })
  })

  test('a bundle of WiX has the identifier under which Windows lists it', async () => {
    const file = await folder.write('bundle.exe', makeBurn())

    expect(await readInstaller(file)).toMatchObject({ family: 'burn', bundleId: burnBundleId })
  })

  test('a program of Squirrel names the package in its archive', async () => {
    const file = await folder.write('chat.exe', makeSquirrel())

    expect(await readInstaller(file)).toMatchObject({
      family: 'squirrel',
      squirrel: { id: 'SampleChat', version: '5.6.7' },
    })
  })

  test('an installer of Inno Setup has the names, the version and the folder of its header', async () => {
    const texts = { 0: 'Sample Paint', 2: '{{8D3A4F0C-5A0B-4B43-9C1E-0D1E5B6A7F21}', 4: 'Example', 9: '7.8' }
    const content = makeInno({ ...texts, 10: '{autopf}\\Sample Paint', 30: 'x64compatible', 31: 'x64compatible' })

    expect(await readInstaller(await folder.write('paint.exe', content))).toMatchObject({
      family: 'inno',
      familyVersion: '6.4.0.1',
      inno: {
        name: 'Sample Paint',
        appId: '{8D3A4F0C-5A0B-4B43-9C1E-0D1E5B6A7F21}',
        publisher: 'Example',
        version: '7.8',
        defaultFolder: '{autopf}\\Sample Paint',
        architecturesIn64BitMode: 'x64compatible',
      },
    })
  })

  test.each([
    ['7-Zip', makeSevenZip(), { family: 'sevenZipSfx', runs: 'setup.exe /quiet' }],
    ['InstallShield', makeInstallShield(), { family: 'installshield' }],
    ['no known tool', makeProgram({ machine: 0x8664 }), { family: 'unknown', architecture: 'x64' }],
  ])('an installer of %s is recognised', async (_tool, content, expected) => {
    expect(await readInstaller(await folder.write('any.exe', content))).toMatchObject(expected)
  })

  test('the beginning of LZMA data is what the reference implementation has packed', () => {
    const content = Buffer.from(Array.from({ length: 20_000 }, (_, at) => `line ${at % 97} ${at * at}\n`).join(''))

    const packed = packLzma(content)

    expect(unpackLzmaBeginning(packed, 50_000).equals(content.subarray(0, 50_000))).toBe(true)
    expect(content.indexOf(unpackLzmaBeginning(packed.subarray(0, 2_000), 50_000))).toBe(0)
  })
})

describe('packages of Windows', () => {
  const manifest = (content: string) => `<?xml version="1.0" encoding="utf-8"?>
<Package xmlns="http://schemas.microsoft.com/appx/manifest/foundation/windows10">
  <Identity Name="Example.Notes" Publisher="CN=Example" Version="1.2.3.4" ProcessorArchitecture="x64"/>
  <Properties><DisplayName>Notes</DisplayName><PublisherDisplayName>ms-resource:Publisher</PublisherDisplayName></Properties>
  ${content}
</Package>`

  test('identity, names, versions and dependencies are read from the manifest', async () => {
    const dependencies = `<Dependencies><TargetDeviceFamily Name="Windows.Desktop" MinVersion="10.0.17763.0"/>
      <PackageDependency Name="Microsoft.VCLibs.140.00" MinVersion="14.0.0.0"/></Dependencies>`
    const content = makeZip([
      { name: 'app/notes.exe', content: 'MZ' },
      { name: 'AppxManifest.xml', content: manifest(dependencies), isDeflated: true },
    ])

    expect(await readInstaller(await folder.write('notes.msix', content))).toEqual({
      format: 'msix',
      isBundle: false,
      identity: { name: 'Example.Notes', publisher: 'CN=Example', version: '1.2.3.4', architecture: 'x64' },
      familyName: `Example.Notes_${publisherIdOf('CN=Example')}`,
      fullName: `Example.Notes_1.2.3.4_x64__${publisherIdOf('CN=Example')}`,
      displayName: 'Notes',
      minWindowsVersion: '10.0.17763.0',
      dependencies: ['Microsoft.VCLibs.140.00'],
      fileName: 'notes.msix',
      fileBytes: (await readFile(folder.path('notes.msix'))).length,
    })
  })

  test('the publisher of packages of Microsoft is shortened as Windows does it', () => {
    const publisher = 'CN=Microsoft Corporation, O=Microsoft Corporation, L=Redmond, S=Washington, C=US'

    expect(publisherIdOf(publisher)).toBe('8wekyb3d8bbwe')
  })

  test('a manifest with a document type is refused', async () => {
    const hostile = `<!DOCTYPE Package [<!ENTITY a "aaaa">]>${manifest('')}`.replace(/<\?xml.*?\?>/, '')
    const file = await folder.write('hostile.msix', makeZip([{ name: 'AppxManifest.xml', content: hostile }]))

    await expect(readInstaller(file)).rejects.toMatchObject({ name: 'InstallerFault', code: 'unsupported' })
  })
})
