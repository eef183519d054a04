import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { expect, test } from 'vitest'
import { referencePages } from '../../../tools/generate/reference-pages.ts'
import { manifestOf, openPackageWorld } from './package-world.ts'

const { folder, imported } = await openPackageWorld()

const install = (changes: object) => ({ commands: { install: { argv: ['true'], ...changes } } })

const scan = (changes: object) => manifestOf({ kind: 'inventoryScan', ...changes })
const detect = (form: object) => manifestOf({ commands: { install: { argv: ['true'] }, detect: form } })
const key = 'HKLM\\SOFTWARE\\Example'
const registry = (changes: object) => detect({ registry: { key, view: '64', ...changes } })
const onWindows = (manifest: object) => ({ ...manifest, operatingSystems: ['Windows 11'] })
const msi = (changes: object, operatingSystems = ['Windows']) =>
  manifestOf({ operatingSystems, commands: undefined, msi: { file: 'greeting.msi', ...changes } })

const wrong: [what: string, manifest: object | string | Buffer, fault: string][] = [
  ['is empty', '', 'is not valid JSON'],
  ['is not JSON', '{', 'is not valid JSON'],
  ['is null', 'null', "'kind' must be one of"],
  ['is a list', '[]', "'kind' must be one of"],
  ['is not UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'is not valid UTF-8'],
  ['is endlessly deep', '['.repeat(8_000_000), 'is nested deeper than 100 levels'],
  ['is too large', ' '.repeat(16 * 1024 * 1024 + 1), 'is larger than'],
  ['has a NUL', '{"name": "a\\u0000b"}', 'a character that cannot be stored'],
  ['has half of a surrogate pair', '{"name": "\\ud800"}', 'a character that cannot be stored'],
  ['has no kind', manifestOf({ kind: undefined }), "'kind' must be one of"],
  ['has an unknown kind', manifestOf({ kind: 'Software' }), "'kind' must be one of"],
  ['has a kind that is a property of every object', manifestOf({ kind: 'constructor' }), "'kind' must be one of"],
  ['has no name', manifestOf({ name: undefined }), "'name' is required"],
  ['has an empty name', manifestOf({ name: '' }), "'name'"],
  ['has a blank name', manifestOf({ name: ' ' }), "'name'"],
  ['has a long name', manifestOf({ name: 'x'.repeat(201) }), "'name'"],
  ['has a number as version', manifestOf({ version: 1 }), "'version' must be string"],
  ['has no operating systems', manifestOf({ operatingSystems: [] }), "'operatingSystems'"],
  ['has a system twice', manifestOf({ operatingSystems: ['Linux', 'LINUX'] }), "must not contain 'linux' twice"],
  [
    'has an identity that is too long for the index',
    manifestOf({ operatingSystems: Array.from({ length: 20 }, (_, n) => `${n} ${'漢'.repeat(40)}`) }),
    'more than 2000 bytes',
  ],
  ['has an unknown property', manifestOf({ colour: 'red' }), "'colour' is an unknown property"],
  ['has a property of another kind', manifestOf({ settings: {} }), "'settings' is an unknown property"],
  [
    'pollutes the prototype',
    JSON.stringify(manifestOf()).replace('{', '{"__proto__": {"isAdmin": true}, '),
    "'__proto__' is an unknown property",
  ],
  [
    'pins something that is not a key',
    manifestOf({
      kind: 'agentTemplate',
      commands: undefined,
      settings: { trustedKeys: 'untrusted comment: a\nRWnot' },
    }),
    "must contain public keys of minisign, one per line, not 'RWnot'",
  ],
  ['has no commands', manifestOf({ commands: undefined }), "'commands' is required"],
  ['has no install command', manifestOf({ commands: {} }), "'commands.install' is required"],
  ['has a command of both forms', manifestOf(install({ shell: 'true' })), 'must have either argv or shell'],
  [
    'has a step that only fixes of patches have',
    manifestOf({ commands: { install: { shell: 'true' }, after: { shell: 'true' } } }),
    "'commands.after' is for packages of the kind patchFix",
  ],
  ['has a command of no form', manifestOf({ commands: { install: {} } }), 'must have either argv or shell'],
  ['has no install command of a kind that cannot have msi', scan({ commands: {} }), "'commands.install' is required."],
  [
    'detects in two ways',
    detect({ shell: 'true', file: { path: '/x' } }),
    'must have exactly one of argv, shell, registry',
  ],
  ['detects in no way', detect({}), 'must have exactly one of argv, shell, registry'],
  ['detects in an unknown way', detect({ guess: {} }), "'commands.detect.guess' is an unknown property"],
  [
    'installs by a form',
    manifestOf(install({ file: { path: '/x' } })),
    "'commands.install.file' is an unknown property",
  ],
  ['names no view', onWindows(detect({ registry: { key } })), "'commands.detect.registry.view' is required"],
  ['names HKCU', onWindows(registry({ key: 'HKCU\\Software\\A' })), "'commands.detect.registry.key'"],
  [
    'compares twice',
    onWindows(registry({ value: 'V', equals: '1', version: '1' })),
    'at most one of equals, version and',
  ],
  ['compares no value', onWindows(registry({ minVersion: '1' })), 'must name the value to compare'],
  ['reads the registry of Linux', registry({}), 'exists on Windows only'],
  ['asks rpm on Windows', onWindows(detect({ rpm: { package: 'hello' } })), 'exists on Linux only'],
  ['asks dpkg on Windows', onWindows(detect({ dpkg: { package: 'hello' } })), 'exists on Linux only'],
  [
    'detects a relative file',
    detect({ file: { path: 'a/b' } }),
    "'commands.detect.file.path' must be an absolute path",
  ],
  ['has no product code', onWindows(detect({ msi: { productCode: 'x' } })), "'commands.detect.msi.productCode'"],
  ['is an MSI for Linux', msi({}, ['Linux']), "'msi' exists on Windows only"],
  ['has an MSI of another name', msi({ file: 'a.exe' }), "'msi.file' must name a file that ends with .msi"],
  ['has a missing icon', manifestOf({ icon: 'missing.png' }), "'icon' names 'missing.png', which is not a file"],
  [
    'has an icon that is no image',
    manifestOf({ icon: 'muster-package.json' }),
    'icon names a file that is not a PNG image',
  ],
  ['has a missing MSI', msi({ file: 'missing.msi' }), "'msi.file' names 'missing.msi', which is not a file"],
  [
    'has an MSI property with quotes',
    msi({ properties: { A: 'a" B="c' } }),
    "'msi.properties.A' must not contain quotes",
  ],
  [
    'has a reserved MSI property',
    msi({ properties: { Reinstall: 'ALL' } }),
    "'msi.properties.Reinstall' is set by the agent",
  ],
  [
    'gives a value to cmd',
    onWindows(manifestOf({ commands: { install: { shell: 'setup.exe "%MUSTER_VAR_SITE%"' } } })),
    "'commands.install.shell' mentions %MUSTER_VAR_SITE%, and cmd would run what it finds in the value",
  ],
  [
    'gives a value to cmd as an argument',
    onWindows(manifestOf({ commands: { install: { argv: ['cmd', '/c', 'setup.exe %MUSTER_VAR_SITE%'] } } })),
    "'commands.install.argv' mentions %MUSTER_VAR_SITE%",
  ],
  [
    'gives a secret to cmd to find its software',
    onWindows(detect({ shell: 'find %muster_secret_key%' })),
    'in PowerShell as $env:muster_secret_key',
  ],
  ['has no MSI property', msi({ properties: { 'A B': '1' } }), "'msi.properties'"],
  ['has an empty command', manifestOf(install({ argv: [] })), "'commands.install.argv'"],
  ['has no time', manifestOf(install({ timeLimitMinutes: 0 })), "'commands.install.timeLimitMinutes'"],
  ['has a code of two meanings', manifestOf(install({ rebootCodes: [0] })), 'successCodes and rebootCodes'],
  ['can never succeed', manifestOf(install({ successCodes: [] })), 'can never succeed'],
  ['has a code that is no integer', manifestOf(install({ successCodes: [0.5] })), "'commands.install.successCodes.0'"],
  [
    'has a variable twice',
    manifestOf({
      variables: [
        { variable: 'A.B', value: '1' },
        { variable: 'a.b', value: '2' },
      ],
    }),
    "must not contain 'a.b' twice",
  ],
  ['requires a package twice', manifestOf({ requires: ['Runtime', 'runtime'] }), "must not contain 'runtime' twice"],
  ['requires itself', manifestOf({ name: 'self', requires: ['Self'] }), "'requires' must not name the package itself"],
  ['names a secret twice', manifestOf({ secrets: ['A.B', 'a.b'] }), "must not contain 'a.b' twice"],
  [
    'has an edition twice',
    manifestOf({
      kind: 'operatingSystem',
      commands: undefined,
      image: {
        file: 'muster-package.json',
        language: 'en',
        os: 'X',
        osType: 'Y',
        architecture: 'x64',
        skus: [
          { index: 1, edition: 'A' },
          { index: 1, edition: 'B' },
        ],
      },
    }),
    "'image.skus' must not contain '1' twice",
  ],
  [
    'has settings within settings',
    manifestOf({ kind: 'agentTemplate', commands: undefined, settings: { a: { b: 1 } } }),
    "'settings.a'",
  ],
]

test.each(wrong)('a manifest that %s is refused with a message that says so', async (what, manifest, fault) => {
  await folder(what, { 'muster-package.json': manifest })

  const { status, message, packageId } = await imported(what)

  expect({ status, packageId }).toEqual({ status: 'Failed', packageId: null })
  expect(message).toContain(fault)
  expect(message).toMatch(/^muster-package\.json:? .*\.$/s)
})

test('a manifest may begin with a byte order mark, which editors on Windows add', async () => {
  await folder('bom', { 'muster-package.json': `\uFEFF${JSON.stringify(manifestOf({ name: 'bom' }))}` })

  expect(await imported('bom')).toMatchObject({ status: 'Success' })
})

test('the published schema accepts and refuses the same manifests as the import', async () => {
  const ajv = new Ajv({ allowUnionTypes: true })
  addFormats.default(ajv)
  const { $schema: _, ...schema } = JSON.parse(referencePages()['package-manifest.schema.json'] ?? '')
  const check = ajv.compile(schema)

  expect(check(manifestOf())).toBe(true)
  expect(check(manifestOf({ colour: 'red' }))).toBe(false)
  expect(check(manifestOf({ name: '' }))).toBe(false)
})

test('the published schema of recipes accepts a manifest with the origin of its file, and nothing else', async () => {
  const ajv = new Ajv({ allowUnionTypes: true })
  addFormats.default(ajv)
  const { $schema: _, ...schema } = JSON.parse(referencePages()['package-recipe.schema.json'] ?? '')
  const check = ajv.compile(schema)

  expect(check({ manifest: manifestOf(), file: { name: 'setup.sh' } })).toBe(true)
  expect(check({ manifest: manifestOf({ colour: 'red' }), file: { name: 'setup.sh' } })).toBe(false)
  expect(check({ file: { name: 'setup.sh' } })).toBe(false)
})
