import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type InstallerFacts, type ProposedManifest, proposeManifest } from '../src/index.ts'
import { requireValidManifest } from './samples/manifest.ts'

const file = (fileName: string) => ({ fileName, fileBytes: 1 })
const productCode = '{5D1B9A0E-93B5-4E8C-9E9D-0A5C7C1B0001}'

const msi: InstallerFacts = {
  ...{ ...file('Viewer.msi'), format: 'msi', productName: 'Viewer 7.1 (x64)', productVersion: '7.1.2' },
  ...{ manufacturer: 'Example', productCode, architecture: 'x64', scope: 'machine' },
  ...{ properties: {}, conditions: ['Needs Windows 10'] },
}

const exe = (facts: object, fileName = 'Setup 1.2.exe'): InstallerFacts => ({
  ...file(fileName),
  format: 'exe',
  family: 'unknown',
  versionTexts: {},
  ...facts,
})

const lineOf = ({ lines }: ProposedManifest, property: string) => lines.find((one) => one.property === property)

describe('an MSI file', () => {
  test('needs no commands, and the name of its package has no version', () => {
    const { manifest } = proposeManifest(msi)

    expect(manifest).toEqual({
      ...{ name: 'viewer-x64', version: '7.1.2', displayName: 'Viewer 7.1 (x64)', author: 'Example', kind: 'software' },
      ...{ operatingSystems: ['Windows'], onlyFor: { architectures: ['x64', 'arm64'] }, msi: { file: 'Viewer.msi' } },
    })
  })

  test('shows how the agent finds and removes it, and what it requires', () => {
    const proposal = proposeManifest(msi)

    expect(lineOf(proposal, 'commands.detect.msi')).toMatchObject({
      value: { productCode, minVersion: '7.1.2' },
      confidence: 'certain',
      isImplied: true,
    })
    expect(lineOf(proposal, 'commands.uninstall.shell')?.value).toContain(productCode)
    expect(proposal.requirements.map(({ kind, value }) => [kind, value])).toEqual([['condition', 'Needs Windows 10']])
  })

  test('has notes with what the manifest does not need: codes, language, scope, properties and the signer', () => {
    const properties = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`P${index}`, `${index}`]))
    const signer = {
      name: 'Example',
      organisation: 'Example GmbH',
      issuer: 'CA',
      validUntil: '2027-03-01T00:00:00.000Z',
    }
    const { notes } = proposeManifest({ ...msi, upgradeCode: productCode, language: 1031, properties, signer })

    expect(notes).toEqual([
      `Upgrade code: ${productCode}.`,
      'Language: 1031.',
      'It installs for all users.',
      expect.stringMatching(/^Properties: P0=0, P1=1, .*, P39=39 and 10 more\.$/),
      'Signed by Example, of Example GmbH, certified by CA, until 2027-03-01. The signature was not verified.',
    ])
    expect(proposeManifest(exe({ familyReason: 'It has a mark', familyVersion: '3.1' })).notes).toEqual([
      'It has a mark (3.1).',
      'No signer was found in the file.',
    ])
  })

  test('for an architecture that no computer reports says so, and has no condition that would keep it from all', () => {
    const { manifest, requirements } = proposeManifest({ ...msi, architecture: 'ia64', conditions: [] })

    expect(manifest.onlyFor).toBeUndefined()
    expect(requirements).toMatchObject([{ kind: 'architecture', value: 'ia64' }])
  })

  test('that installs for one user gets the property for all users', () => {
    expect(proposeManifest({ ...msi, scope: 'choice' }).manifest.msi?.properties).toEqual({ ALLUSERS: '1' })
  })
})

describe('a program', () => {
  test('of Inno Setup is found by its key and removed by its uninstaller', () => {
    const inno = { appId: '{A}', name: 'Paint', version: '7.8', defaultFolder: '{autopf}\\Paint' }
    const proposal = proposeManifest(
      exe({ family: 'inno', familyVersion: '6.4.0.1', inno: { ...inno, architecturesIn64BitMode: 'x64compatible' } }),
    )

    expect(proposal.manifest.commands).toEqual({
      install: {
        argv: [
          ...['Setup 1.2.exe', '/VERYSILENT', '/SUPPRESSMSGBOXES', '/NORESTART', '/SP-', '/RESTARTEXITCODE=3010'],
          '/LOG=muster-install.log',
        ],
        rebootCodes: [3010],
      },
      uninstall: { shell: '"%ProgramFiles%\\Paint\\unins000.exe" /VERYSILENT /SUPPRESSMSGBOXES /NORESTART' },
      detect: {
        registry: {
          key: 'HKLM\\SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Uninstall\\{A}_is1',
          view: '64',
          value: 'DisplayVersion',
          minVersion: '7.8',
        },
      },
    })
  })

  test('of an earlier Inno Setup does not say whether it installs in 64-bit mode, so the lines are guesses', () => {
    const inno = { appId: '{A}', name: 'Paint', version: '7.8', defaultFolder: '{autopf}\\Paint' }
    const proposal = proposeManifest(exe({ family: 'inno', familyVersion: '6.2.2', inno }))

    expect(lineOf(proposal, 'commands.detect.registry')).toMatchObject({ confidence: 'guess', value: { view: '32' } })
    expect(lineOf(proposal, 'commands.uninstall.shell')).toMatchObject({ confidence: 'guess' })
  })

  test('of WiX is removed by itself, and found by the identifier of its bundle', () => {
    const bundle = { family: 'burn', bundleId: productCode, productVersion: '1.2.3.0', architecture: 'x86' }
    const proposal = proposeManifest(exe(bundle, 'bundle.exe'))

    expect(proposal.manifest.commands?.uninstall).toMatchObject({ rebootCodes: [3010, 1641] })
    expect(lineOf(proposal, 'commands.detect.registry')?.value).toMatchObject({ view: '32', minVersion: '1.2.3.0' })
  })

  test('of an unknown tool has only guesses, and a warning', () => {
    const proposal = proposeManifest(exe({}, 'Vendor Tool Setup 3.4.exe'))

    expect(proposal.manifest).toMatchObject({ name: 'vendor-tool', version: '3.4' })
    expect(lineOf(proposal, 'commands.install.argv')).toMatchObject({ confidence: 'guess' })
    expect(proposal.warnings).toHaveLength(1)
  })

  test('with the texts of its tool, or a name that says nothing, has the name of its file', () => {
    const texts = { ProductName: 'InstallShield (R)', CompanyName: 'InstallShield', FileDescription: 'Setup.exe' }
    const facts = { family: 'installshield', versionTexts: texts, productVersion: '9.01', signer: { name: 'Vendor' } }

    expect(proposeManifest(exe(facts, 'driver-2.3.exe')).manifest).toMatchObject({
      name: 'driver',
      version: '2.3',
      author: 'Vendor',
    })
    expect(proposeManifest(exe({ versionTexts: { ProductName: 'Setup' } }, 'driver.exe')).manifest.name).toBe('driver')
  })

  test('of Squirrel warns that it installs for one user', () => {
    const proposal = proposeManifest(exe({ family: 'squirrel', squirrel: { id: 'Chat', version: '5.6.7' } }))

    expect(proposal.manifest).toMatchObject({ name: 'chat', version: '5.6.7' })
    expect(proposal.warnings[0]).toContain('for one user')
  })
})

test.each([
  ['1.el9', 'rhel', ['dnf', '-y', 'install', './tool.rpm'], ['dnf', '-y', 'remove', 'tool']],
  ['1.el7_9', 'centos', ['yum', '-y', 'install', './tool.rpm'], ['yum', '-y', 'remove', 'tool']],
  ['1.amzn2023', 'amzn', ['dnf', '-y', 'install', './tool.rpm'], ['dnf', '-y', 'remove', 'tool']],
  ['1.fc42', 'fedora', ['dnf', '-y', 'install', './tool.rpm'], ['dnf', '-y', 'remove', 'tool']],
  [
    ...['lp155.2', 'opensuse-leap'],
    ['zypper', '--non-interactive', 'install', '--allow-unsigned-rpm', './tool.rpm'],
    ['zypper', '--non-interactive', 'remove', 'tool'],
  ],
] as const)(
  'an RPM package with the release %s is installed by the tool of its distribution',
  (release, system, install, uninstall) => {
    const { manifest } = proposeManifest({
      ...{ ...file('tool.rpm'), format: 'rpm', name: 'tool', version: '1.2', release, architecture: 'x86_64' },
      ...{ dependencies: [], scripts: [], isSource: false },
    })

    expect(manifest.operatingSystems).toContain(system)
    expect(manifest.commands).toMatchObject({ install: { argv: install }, uninstall: { argv: uninstall } })
  },
)

describe('the computers that a package is for', () => {
  const deb = (architecture: string): InstallerFacts => ({
    ...{ ...file('tool.deb'), format: 'deb', name: 'tool', version: '1', architecture, dependencies: [], scripts: [] },
  })
  const msix = (architecture: string): InstallerFacts => ({
    ...{ ...file('tool.msix'), format: 'msix', isBundle: false, familyName: 'tool_a', fullName: 'tool_1_a' },
    identity: { name: 'tool', publisher: 'CN=A', version: '1.0.0.0', architecture },
    ...{ minWindowsVersion: '10.0.19041.0', dependencies: [] },
  })

  test.each([
    ['a program for x64', exe({ architecture: 'x64' }), ['x64', 'arm64']],
    ['a program for x86', exe({ architecture: 'x86' }), undefined],
    ['a program for ARM', exe({ architecture: 'arm64' }), ['arm64']],
    ['a script that allows all that runs x64', exe({ inno: { architectures: 'x64compatible' } }), ['x64', 'arm64']],
    ['a script that allows x64 only', exe({ inno: { architectures: 'x64os' } }), ['x64']],
    ['a script with another expression', exe({ inno: { architectures: 'x64os or arm64' } }), undefined],
    ['an MSI file for x86', { ...msi, architecture: 'x86' }, undefined],
    ['an MSIX for x64', msix('x64'), ['x64', 'arm64']],
    ['an MSIX for all', msix('neutral'), undefined],
    ['a deb for x64', deb('amd64'), ['x64']],
    ['a deb for x86', deb('i386'), ['x86']],
    ['a deb for ARM', deb('arm64'), ['arm64']],
    ['a deb for all', deb('all'), undefined],
  ] as const)('the architectures of %s are those of computers that run it', (_of, facts, architectures) => {
    expect(proposeManifest(facts as InstallerFacts).manifest.onlyFor?.architectures).toEqual(architectures)
  })

  test('the lowest version of Windows has the numbers that computers report', () => {
    expect(proposeManifest(msix('neutral')).manifest.onlyFor).toEqual({ osVersion: { min: '10.0.19041' } })
  })
})

test('a file with a name that shells read differently gets another name in the package', () => {
  expect(proposeManifest(exe({}, '$(rm -rf).exe')).fileName).toBe('rm-rf.exe')
  expect(proposeManifest(exe({}, '%COMSPEC%&.exe')).fileName).toBe('COMSPEC.exe')
  expect(proposeManifest(exe({}, '-o.exe')).fileName).toBe('o.exe')
  expect(proposeManifest(exe({}, 'con.exe')).fileName).toBe('installer.exe')
})

describe('whatever a file says', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.constantFrom('"', '%PATH%', "';rm -rf /;'", '\n', ''),
  )
  // The reader lets no control characters through.
  const lines = texts.map((text) =>
    text
      .toWellFormed()
      .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
      .trim(),
  )
  const safeNames = fc.stringMatching(/^[a-z0-9][a-z0-9+.-]{1,20}$/)
  const versions = fc.stringMatching(/^[0-9][0-9a-z.+~]{0,10}$/)
  const facts = fc.oneof(
    fc
      .record({ productName: lines, productVersion: lines, productCode: lines, manufacturer: lines })
      .map((msiTexts) => ({
        ...msi,
        ...msiTexts,
      })),
    fc
      .record({
        family: fc.constantFrom('inno', 'nsis', 'burn', 'squirrel', 'installshield', 'sevenZipSfx', 'unknown'),
        productVersion: lines,
        versionTexts: fc.record({ ProductName: lines, CompanyName: lines }),
        inno: fc.record({ name: lines, appId: lines, version: lines, publisher: lines, defaultFolder: lines }),
        squirrel: fc.record({ id: lines, version: lines }),
      })
      .map((found) => exe(found)),
    fc.record({ name: safeNames, version: versions, maintainer: lines, description: lines }).map((control) => ({
      ...{ format: 'deb', architecture: 'amd64', dependencies: [], scripts: [] },
      ...control,
    })),
    fc
      .record({ name: lines, version: lines, comment: lines })
      .map((entry) => ({ format: 'appimage', type: 2, ...entry })),
    fc.record({ topLevel: fc.array(lines) }).map((listed) => ({
      ...{ format: 'zip', entryCount: 1, isComplete: true, installers: [] },
      ...listed,
    })),
    fc.record({ label: lines }).map((script) => ({ format: 'script', interpreter: 'sh', ...script })),
  )

  test('the import accepts the proposed manifest', () => {
    fc.assert(
      fc.property(facts, lines, (found, fileName) => {
        requireValidManifest(proposeManifest({ ...found, fileName, fileBytes: 1 } as InstallerFacts).manifest)
      }),
      { numRuns: 500 },
    )
  })

  test('no text of a file becomes a part of a line for a shell, unless it is plain', () => {
    fc.assert(
      fc.property(facts, lines, (found, fileName) => {
        const { lines: proposed } = proposeManifest({ ...found, fileName, fileBytes: 1 } as InstallerFacts)
        for (const { property, value } of proposed)
          if (property.endsWith('.shell') && typeof value === 'string')
            expect(value.replaceAll(/%(ProgramFiles(\(x86\))?|LocalAppData)%| && /g, '')).not.toMatch(/[%^`$;<>!&|\n]/)
      }),
      { numRuns: 500 },
    )
  })
})
