import { describe, expect, test } from 'vitest'
import { convertWinget, readWingetManifest } from '../src/winget/index.ts'
import { requireValidManifest } from './samples/manifest.ts'
import { manifestOf, packageOf, reasonsOf, sha256 } from './samples/winget.ts'

const productCode = '{5D1B9A0E-93B5-4E8C-9E9D-0A5C7C1B0001}'

describe('a winget manifest', () => {
  test('becomes a package with its names, its version as it is written, and the file that it states', () => {
    const made = packageOf(`InstallerType: nullsoft\nProductCode: Viewer`)

    expect(made).toMatchObject({
      fileName: 'viewer 7.10.exe',
      manifest: {
        ...{ name: 'Example.Viewer', version: '7.10', displayName: 'Viewer', author: 'Example GmbH' },
        ...{ description: 'Shows files', operatingSystems: ['Windows'], kind: 'software' },
      },
      origin: { url: 'https://example.org/files/viewer%207.10', sha256, architecture: 'x64', scope: 'machine' },
    })
    requireValidManifest(made.manifest)
  })

  test('of a single file is read like one of several', () => {
    const files = manifestOf('InstallerType: inno\nProductCode: A_is1')
    const [, installer, locale] = files
    const single = `${installer?.content.replace('ManifestType: installer', 'ManifestType: singleton')}${locale?.content.split('defaultLocale\n')[1]}`

    const [made] = convertWinget(readWingetManifest([{ name: 'a.yaml', content: single }])).packages

    expect(made?.manifest).toEqual(packageOf('InstallerType: inno\nProductCode: A_is1').manifest)
  })

  test('requires the packages on which it depends, is for its version of Windows, and names what else a computer must have', () => {
    const { manifest, requirements } = packageOf(
      `InstallerType: nullsoft\nProductCode: V\nMinimumOSVersion: 10.0.17763.0\nDependencies:\n  PackageDependencies:\n  - PackageIdentifier: Example.Runtime\n    MinimumVersion: "14"\n  WindowsFeatures:\n  - netfx3`,
    )

    expect(manifest.requires).toEqual(['Example.Runtime'])
    expect(manifest.onlyFor).toEqual({ architectures: ['x64', 'arm64'], osVersion: { min: '10.0.17763' } })
    expect(requirements.map(({ kind, value }) => [kind, value])).toEqual([['dependency', 'netfx3']])
  })

  test.each([
    ['x64', '', ['x64', 'arm64']],
    ['x64', 'arm64', ['x64']],
    ['x64', 'X64, arm64', ['x64', 'arm64']],
    ['x86', '', undefined],
    ['x86', 'arm64', ['x86', 'x64']],
    ['neutral', 'arm, arm64', ['x86', 'x64']],
    ['arm64', '', ['arm64']],
  ])('for %s, but not for [%s], becomes a package for %j', (architecture, unsupported, architectures) => {
    const installer = `InstallerType: nullsoft\nProductCode: V\nUnsupportedOSArchitectures: [${unsupported}]`
    const [, file] = manifestOf(installer)
    const content = `${file?.content}`.replace('Architecture: x64', `Architecture: ${architecture}`)

    const [made] = convertWinget(readWingetManifest([{ name: 'a.yaml', content }])).packages

    expect(made?.manifest.onlyFor?.architectures).toEqual(architectures)
  })
})

describe('an installer', () => {
  test.each(['msi', 'wix'])('of type %s is installed by the agent, with the properties of its switches', (type) => {
    const { manifest } = packageOf(
      `InstallerType: ${type}\nInstallerSwitches:\n  Silent: /quiet\n  Custom: REBOOT=ReallySuppress TARGET="C:\\A b" ADDLOCAL=All`,
    )

    expect(manifest).toMatchObject({
      msi: { file: 'viewer 7.10.msi', properties: { TARGET: 'C:\\A b', ADDLOCAL: 'All' } },
    })
    expect(manifest.commands).toBeUndefined()
  })

  test('of type wix with other options or codes gets a command, and stays an MSI file for detection and removal', () => {
    const { manifest } = packageOf(
      `InstallerType: wix\nInstallerSwitches:\n  Custom: TRANSFORMS="a b.mst"\nInstallerSuccessCodes:\n- 42`,
    )

    expect(manifest.msi).toEqual({ file: 'viewer 7.10.msi' })
    expect(manifest.commands).toEqual({
      install: {
        shell: 'msiexec /i "viewer 7.10.msi" /qn /norestart  TRANSFORMS="a b.mst"',
        successCodes: [0, 42],
        rebootCodes: [3010, 1641],
      },
    })
  })

  test('of type burn is removed by itself, and found by its code alone', () => {
    const { commands } = packageOf(`InstallerType: burn\nProductCode: '${productCode}'`).manifest

    expect(commands).toEqual({
      install: {
        argv: ['viewer 7.10.exe', '/quiet', '/norestart', '/log', 'muster-install.log'],
        rebootCodes: [3010, 1641],
      },
      uninstall: { argv: ['viewer 7.10.exe', '/uninstall', '/quiet', '/norestart'], rebootCodes: [3010, 1641] },
      detect: { program: { id: productCode } },
    })
  })

  test('of type inno has the switches of its family, and those of the manifest', () => {
    const { commands } = packageOf(
      `InstallerType: inno\nProductCode: V_is1\nInstallerSwitches:\n  Custom: /ALLUSERS\nAppsAndFeaturesEntries:\n- DisplayVersion: 7.10.3`,
    ).manifest

    expect(commands).toEqual({
      install: {
        argv: [
          ...['viewer 7.10.exe', '/VERYSILENT', '/SUPPRESSMSGBOXES', '/NORESTART', '/SP-', '/RESTARTEXITCODE=3010'],
          ...['/LOG=muster-install.log', '/ALLUSERS'],
        ],
        rebootCodes: [3010],
      },
      uninstall: {
        program: { id: 'V_is1', arguments: '/VERYSILENT /SUPPRESSMSGBOXES /NORESTART' },
        rebootCodes: [3010],
      },
      detect: { program: { id: 'V_is1', minVersion: '7.10.3' } },
    })
  })

  test('of type nullsoft is found by the name that Windows shows', () => {
    const { commands } = packageOf(
      `InstallerType: nullsoft\nAppsAndFeaturesEntries:\n- DisplayName: Viewer 7.10 (x64)\n  Publisher: Example`,
    ).manifest

    const program = { name: 'Viewer 7.10 (x64)', publisher: 'Example' }
    expect(commands).toEqual({
      install: { argv: ['viewer 7.10.exe', '/S'] },
      uninstall: { program: { ...program, arguments: '/S' } },
      detect: { program: { ...program, minVersion: '7.10' } },
    })
  })

  test('of type exe has the switches and return codes of the manifest, and is found by the names of package and publisher', () => {
    const { manifest, lines } = packageOf(
      `InstallerType: exe\nExpectedReturnCodes:\n- InstallerReturnCode: 8\n  ReturnResponse: rebootRequiredToFinish\n- InstallerReturnCode: 9\n  ReturnResponse: alreadyInstalled\n- InstallerReturnCode: 5\n  ReturnResponse: packageInUse`,
      'InstallerSwitches:\n  Silent: /qn\n  Custom: /v"/qb REBOOT=R"\n',
    )

    expect(manifest.commands).toEqual({
      install: { shell: '"viewer 7.10.exe" /qn /v"/qb REBOOT=R"', successCodes: [0, 9], rebootCodes: [8] },
      uninstall: { program: { name: 'Viewer', publisher: 'Example GmbH', arguments: '/qn' } },
      detect: { program: { name: 'Viewer', publisher: 'Example GmbH', minVersion: '7.10' } },
    })
    expect(lines.find(({ property }) => property === 'commands.detect.program')?.confidence).toBe('likely')
  })

  test('in an archive is unpacked first', () => {
    const { manifest } = packageOf(
      `InstallerType: zip\nNestedInstallerType: nullsoft\nNestedInstallerFiles:\n- RelativeFilePath: sub\\setup.exe\nProductCode: V`,
    )

    expect(manifest.commands?.install?.shell).toBe('tar -xf "viewer 7.10" && "sub\\setup.exe" /S')
  })

  test('states its switches one by one: what it does not state comes from the manifest', () => {
    const { commands } = packageOf(
      `InstallerType: exe\nProductCode: V\nInstallerSwitches:\n  Custom: /own`,
      'InstallerSwitches:\n  Silent: /all\n  Custom: /other\n',
    ).manifest

    expect(commands?.install?.argv).toEqual(['viewer 7.10.exe', '/all', '/own'])
  })
})

test.each([
  ['userScope', 'InstallerType: exe\nScope: user\nInstallerSwitches:\n  Silent: /S'],
  ['installerType', 'InstallerType: msix'],
  ['installerType', 'InstallerType: zip\nNestedInstallerType: portable'],
  ['noSilence', 'InstallerType: exe'],
  ['interactive', 'InstallerType: nullsoft\nInstallModes:\n- interactive'],
  ['elevationProhibited', 'InstallerType: nullsoft\nElevationRequirement: elevationProhibited'],
  ['noFile', 'InstallerType: nullsoft\nInstallerUrl: file:///etc/passwd'],
])('a person is needed because of %s', (reason, installer) => {
  expect(reasonsOf(installer)).toEqual([reason])
})

describe('of several installers', () => {
  const entry = (lines: string) => `- ${lines.replaceAll('\n', '\n  ')}\n  InstallerSha256: ${sha256}\n`
  const given = (...installers: string[]) =>
    readWingetManifest([
      {
        name: 'a.yaml',
        content: `PackageIdentifier: A.B\nPackageVersion: "1"\nPackageName: B\nManifestType: singleton\nInstallers:\n${installers.map(entry).join('')}`,
      },
    ])
  const at = (name: string, lines: string) => `InstallerUrl: https://example.org/${name}\n${lines}`

  test('each architecture gets the one for all users, and an MSI file rather than a program', () => {
    const manifest = given(
      at('user.exe', 'Architecture: x64\nScope: user\nInstallerType: nullsoft'),
      at('setup.exe', 'Architecture: x64\nScope: machine\nInstallerType: nullsoft'),
      at('setup.msi', 'Architecture: x64\nScope: machine\nInstallerType: wix'),
      at('small.exe', 'Architecture: x86\nInstallerType: nullsoft'),
      at('arm.msix', 'Architecture: arm64\nInstallerType: msix'),
    )

    const { packages, rest } = convertWinget(manifest)

    expect(packages.map(({ fileName, manifest: made }) => [made.name, fileName])).toEqual([
      ['A.B', 'setup.msi'],
      ['A.B-x86', 'small.exe'],
    ])
    expect(rest).toMatchObject([{ architecture: 'arm64', reason: 'installerType' }])
  })

  test('the wanted language and architecture decide', () => {
    const manifest = given(
      at('en.exe', 'Architecture: x64\nInstallerLocale: en-US\nInstallerType: nullsoft'),
      at('de.exe', 'Architecture: x64\nInstallerLocale: de-DE\nInstallerType: nullsoft'),
      at('x86.exe', 'Architecture: x86\nInstallerLocale: de-AT\nInstallerType: nullsoft'),
    )
    const fileOf = (choice: object) => convertWinget(manifest, choice).packages[0]?.fileName

    expect([fileOf({}), fileOf({ locale: 'de-DE' }), fileOf({ architecture: 'x86', locale: 'de-DE' })]).toEqual([
      ...['en.exe', 'de.exe', 'x86.exe'],
    ])
  })

  test('an MSI file whose scope is not stated installs for all users', () => {
    const [made] = convertWinget(given(at('a.msi', 'Architecture: x64\nInstallerType: msi'))).packages

    expect(made?.manifest.msi?.properties).toEqual({ ALLUSERS: '1' })
  })
})
