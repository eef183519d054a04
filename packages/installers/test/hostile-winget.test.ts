import fc from 'fast-check'
import { expect, test } from 'vitest'
import { convertWinget, maxWingetFileBytes, readWingetManifest, WingetFault } from '../src/winget/index.ts'
import { requireValidManifest } from './samples/manifest.ts'
import { manifestOf, packageOf, reasonsOf, sha256 } from './samples/winget.ts'

const read = (content: string) => () => readWingetManifest([{ name: 'a.yaml', content }])
const head = 'PackageIdentifier: A.B\nPackageVersion: "1"\nManifestType: singleton\n'

test.each([
  ['aliases that multiply', `${head}a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n`, 'Alias'],
  ['a depth that overflows the stack', '['.repeat(100_000), 'Maximum call stack'],
  ['more than is read', `${head}#${'x'.repeat(maxWingetFileBytes)}`, 'larger than'],
  ['several documents', `${head}---\n${head}`, 'multiple documents'],
  ['no properties', '- a\n- b\n', 'no properties'],
  ['no installers', 'PackageIdentifier: A.B\nManifestType: version\n', 'ManifestType is installer'],
  ['an identifier that is a path', head.replace('A.B', '../../etc.x'), 'PackageIdentifier'],
  ['a version that is a path', head.replace('"1"', '../../x'), 'PackageVersion'],
])('a file with %s is refused', (_name, content, reason) => {
  expect(read(content)).toThrow(WingetFault)
  expect(read(content)).toThrow(reason)
})

test('25,000 keys are read within seconds', () => {
  const keys = Array.from({ length: 25_000 }, (_, index) => `k${index}: v`).join('\n')
  const start = performance.now()

  read(`${head}${keys}`)()

  expect(performance.now() - start).toBeLessThan(10_000)
})

test('files of two packages, or of two versions, are not mixed', () => {
  const files = manifestOf('InstallerType: exe')
  const changed = (from: string, to: string) =>
    files.map((file, index) => (index === 2 ? { ...file, content: file.content.replace(from, to) } : file))

  expect(() => readWingetManifest(changed('Example.Viewer', 'Example.Other'))).toThrow('different packages')
  expect(() => readWingetManifest(changed('7.10', '7.1'))).toThrow('different packages')
  expect(() => readWingetManifest([...files, ...files])).toThrow('more than one manifest')
})

test('names that objects inherit are names like others', () => {
  const manifest = read(
    `${head}__proto__: {InstallerType: exe}\nInstallers:\n- constructor: x\n  __proto__: {Architecture: x64}\n`,
  )()

  expect(convertWinget(manifest).rest).toMatchObject([{ architecture: '', reason: 'installerType' }])
  expect(({} as { InstallerType?: string }).InstallerType).toBeUndefined()
})

test.each([
  ['a line end', '"/S\\ncalc"'],
  ['a quotation mark that is not closed', `'/S "a'`],
  ['a command behind quotation marks', `'/S "a" & calc'`],
  ['a variable in quotation marks', `'/S "%COMSPEC%"'`],
  ['a redirection behind quotation marks', `'/S "a" > b'`],
  ['a path that winget would fill in', '/S /D=<INSTALLPATH>'],
  ['a character that reverses the direction', '"/S \\u202E"'],
])('switches with %s need a person', (_name, silent) => {
  expect(reasonsOf(`InstallerType: exe\nProductCode: V\nInstallerSwitches:\n  Silent: ${silent}`)).toEqual(['switches'])
})

test('characters that only a shell would read are words without one', () => {
  const made = packageOf(`InstallerType: exe\nProductCode: V\nInstallerSwitches:\n  Silent: /S & calc | more`)

  expect(made.manifest.commands?.install?.argv).toEqual(['viewer 7.10.exe', '/S', '&', 'calc', '|', 'more'])
})

test.each(['..\\..\\setup.exe', 'C:\\setup.exe', '/setup.exe', 'a" & calc & "b.exe', '%TEMP%\\a.exe', 'con.exe', ''])(
  'the path %j of an installer in an archive is refused',
  (path) => {
    const nested = `NestedInstallerType: nullsoft\nNestedInstallerFiles:\n- RelativeFilePath: ${JSON.stringify(path)}`

    expect(reasonsOf(`InstallerType: zip\n${nested}\nProductCode: V`)).toEqual(['nestedFile'])
  },
)

test('a value that is too long for a package needs a person', () => {
  const long = 'x'.repeat(1_500)

  expect(reasonsOf(`InstallerType: exe\nProductCode: V\nInstallerSwitches:\n  Silent: /S ${long}`)).toEqual(['invalid'])
})

const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('"', '%PATH%', '& calc', '\n', '/S', 'a b', '{A}', '../..', '=', 'A=B', 'REBOOT=x', '\\'),
)

test('whatever the texts of a manifest are, the import accepts the package, and no text adds a command to a line', () => {
  const values = fc.record({
    type: fc.constantFrom('msi', 'wix', 'burn', 'inno', 'nullsoft', 'exe', 'zip'),
    ...{ silent: texts, custom: texts, code: texts, name: texts, version: texts, url: texts, nested: texts },
  })
  fc.assert(
    fc.property(values, ({ type, silent, custom, code, name, version, url, nested }) => {
      const text = (value: string) => JSON.stringify(value.toWellFormed())
      const content = `${head}PackageName: ${text(name)}
Installers:
- Architecture: x64
  InstallerType: ${type}
  NestedInstallerType: exe
  NestedInstallerFiles:
  - RelativeFilePath: ${text(nested)}
  InstallerUrl: ${text(`https://example.org/${encodeURIComponent(url.toWellFormed())}`)}
  InstallerSha256: ${sha256}
  ProductCode: ${text(code)}
  InstallerSwitches:
    Silent: ${text(silent)}
    Custom: ${text(custom)}
  AppsAndFeaturesEntries:
  - DisplayName: ${text(name)}
    DisplayVersion: ${text(version)}
`
      const [made] = convertWinget(read(content)()).packages
      if (!made) return
      requireValidManifest(made.manifest)
      const line = made.manifest.commands?.install?.shell?.replace(/^tar -xf "[^"]*" && /, '') ?? ''
      expect(
        line
          .split('"')
          .filter((_, index) => index % 2 === 0)
          .join(''),
      ).not.toMatch(/[&|<>^\n]/)
      expect(line).not.toMatch(/%/)
    }),
    {
      numRuns: 500,
      // Line breaks between switches of msiexec, which are not words of their own.
      examples: [
        [
          {
            type: 'msi',
            silent: 'A=B',
            custom: 'x\ndel /q c:\\',
            code: '',
            name: 'n',
            version: '1',
            url: 'a.msi',
            nested: '',
          },
        ],
      ],
    },
  )
})
