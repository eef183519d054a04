import { closed, enumOf, type Static, sha256, Type, text } from '@muster/schema'
import { PackageCommands, PackageMsi } from './manifest-commands.ts'
import { PackageConditions } from './manifest-conditions.ts'
import { PackageSource } from './manifest-source.ts'

export const manifestName = 'muster-package.json'
/** The signature of the manifest, in the format of minisign. */
export const manifestSignatureName = `${manifestName}.minisig`

/** Whether a file can be in the list of a manifest. The manifest cannot contain its own hash. */
export function isListable({ path }: { path: string }): boolean {
  return path !== manifestName && path !== manifestSignatureName
}

/** The setting of agent templates with the public keys that agents pin. */
export const trustedKeysSetting = 'trustedKeys'

/** The kinds of packages: the name in manifests, and the name in the database and the API. */
export const packageKinds = {
  software: 'Software',
  operatingSystem: 'OperatingSystem',
  languagePack: 'LanguagePack',
  agentTemplate: 'AgentTemplate',
  pxeBootImage: 'PxeBootImage',
  inventoryScan: 'InventoryScan',
  patchScan: 'PatchScan',
  patchFix: 'PatchFix',
} as const

export type ManifestKind = keyof typeof packageKinds
export type PackageKind = (typeof packageKinds)[ManifestKind]

const short = (maxLength: number, example: string, description: string) =>
  Type.String({ minLength: 1, maxLength, pattern: '^\\S(.*\\S)?$', examples: [example], description })

const file = (example: string, description: string) =>
  text(1_000, example, `${description}, as a path relative to the folder of the package`)

const image = {
  file: file('install.wim', 'Image file'),
  language: short(35, 'de-DE', 'Language tag'),
  os: short(100, 'Windows 11', 'Operating system'),
  osType: short(50, 'Workstation', 'Type of the operating system'),
  architecture: short(20, 'x64', 'Processor architecture'),
}

const Sku = closed(
  {
    index: Type.Integer({
      minimum: 1,
      maximum: 10_000,
      examples: [1],
      description: 'Number of the edition in the image',
    }),
    edition: short(255, 'Professional', 'Name of the edition'),
  },
  { title: 'PackageSku' },
)

const Variable = closed(
  {
    variable: text(800, 'Printing.Server', 'Dotted name of a variable that is neither secret nor a collection.'),
    value: text(65_536, 'print01', 'Default value for computers that get the package'),
  },
  { title: 'PackageVariable' },
)

const ListedFile = closed(
  {
    path: text(1_000, 'install.sh', 'Path within the folder of the package, with slashes'),
    size: Type.Integer({ minimum: 0, examples: [4096], description: 'Size in bytes' }),
    sha256: sha256('Hash of the file'),
  },
  { title: 'PackageListedFile' },
)

const Superseded = closed(
  {
    name: short(200, 'old-viewer', 'Name of a package'),
    uninstallFirst: Type.Optional(
      Type.Boolean({
        default: false,
        examples: [true],
        description:
          'Uninstall it before this package is installed. Otherwise, the installer of this package replaces it.',
      }),
    ),
  },
  { title: 'PackageSuperseded' },
)

const onComputers = {
  requires: Type.Optional(
    Type.Array(short(200, 'runtime', 'Name of a package'), {
      maxItems: 50,
      default: [],
      examples: [['runtime']],
      description:
        'Names of packages that must be installed on a computer before it gets this one. Those that it lacks are pulled in.',
    }),
  ),
  onlyFor: Type.Optional(PackageConditions),
  conflicts: Type.Optional(
    Type.Array(short(200, 'old-viewer', 'Name of a package'), {
      maxItems: 50,
      default: [],
      examples: [['old-viewer']],
      description:
        'Names of packages that must not be on the same computer. It applies in both directions: only one of the two has to say so.',
    }),
  ),
  supersedes: Type.Optional(
    Type.Array(Superseded, {
      maxItems: 50,
      default: [],
      description: 'Packages that this one takes the place of. A computer that gets or has this one does not get them.',
    }),
  ),
  secrets: Type.Optional(
    Type.Array(text(800, 'Licence.Key', 'Dotted name of a secret variable'), {
      maxItems: 50,
      default: [],
      examples: [['Licence.Key']],
      description:
        'Secret variables whose values are given to the commands. A package gets only the secrets that it lists.',
    }),
  ),
}

const withCommands = { ...onComputers, commands: PackageCommands }

const head = {
  $schema: Type.Optional(
    text(1_000, 'package-manifest.schema.json', 'JSON schema for editors. The import ignores it.'),
  ),
  name: short(
    200,
    'greeting',
    'Name of the package. Name, version, revision and operating systems identify a package.',
  ),
  version: short(100, '1.2.0', 'Version of the software in the package'),
  revision: Type.Optional(short(50, '1', 'Revision of the package for the same version of the software')),
  displayName: Type.Optional(short(255, 'Greeting', 'Name that people see. Default: the name of the package.')),
  author: Type.Optional(short(255, 'Example Corporation', 'Author of the package')),
  description: Type.Optional(text(10_000, 'Puts a greeting on every computer', 'Purpose of the package')),
  operatingSystems: Type.Array(short(50, 'Linux', 'Operating system'), {
    minItems: 1,
    maxItems: 20,
    examples: [['Linux']],
    description: 'Operating systems that the package is for',
  }),
  variables: Type.Optional(
    Type.Array(Variable, { maxItems: 1_000, default: [], description: 'Default values of variables' }),
  ),
  files: Type.Optional(
    Type.Array(ListedFile, {
      maxItems: 100_000,
      description:
        'All files of the package, except the manifest and its signature. npm run sign writes the list so that the ' +
        'signature covers the files. The import refuses a folder that does not match it.',
    }),
  ),
}

const manifest = <K extends ManifestKind, P extends Parameters<typeof closed>[0]>(kind: K, properties: P) =>
  closed({ ...head, kind: enumOf([kind]), ...properties }, { title: `${packageKinds[kind]}Manifest` })

/** The schema of the manifest of each kind. */
export const manifestSchemas = {
  software: manifest('software', {
    preOs: Type.Optional(
      Type.Boolean({
        default: false,
        examples: [false],
        description: 'The package is used before the operating system runs',
      }),
    ),
    category: Type.Optional(short(50, 'Office', 'Category in which users find the package on the self-service page')),
    icon: Type.Optional(file('icon.png', 'Icon that users see: a PNG image of at most 512 by 512 pixels and 100 KiB')),
    msi: Type.Optional(PackageMsi),
    source: Type.Optional(PackageSource),
    ...onComputers,
    commands: Type.Optional(PackageCommands),
  }),
  operatingSystem: manifest('operatingSystem', {
    image: closed(
      { ...image, skus: Type.Array(Sku, { minItems: 1, maxItems: 500, description: 'The editions in the image' }) },
      { title: 'PackageOsImage' },
    ),
  }),
  languagePack: manifest('languagePack', { image: closed(image, { title: 'PackageLanguagePack' }) }),
  agentTemplate: manifest('agentTemplate', {
    settings: Type.Unsafe<Record<string, string | number | boolean>>({
      type: 'object',
      propertyNames: { type: 'string', pattern: '^[A-Za-z][A-Za-z0-9._-]{0,99}$' },
      additionalProperties: { type: ['string', 'number', 'boolean'], maxLength: 8_000 },
      maxProperties: 200,
      examples: [{ contactIntervalMinutes: 60 }],
      description: 'Settings of the agent, by name',
    }),
  }),
  pxeBootImage: manifest('pxeBootImage', {
    boot: closed(
      {
        loader: Type.Optional(file('grubx64.efi', 'Boot loader that the firmware starts')),
        kernel: file('vmlinuz', 'Kernel'),
        initrd: Type.Optional(file('initrd.img', 'Initial RAM disk')),
        arguments: Type.Optional(text(4_000, 'quiet', 'Kernel command line')),
        architecture: image.architecture,
      },
      { title: 'PackageBootImage' },
    ),
  }),
  inventoryScan: manifest('inventoryScan', withCommands),
  patchScan: manifest('patchScan', withCommands),
  patchFix: manifest('patchFix', withCommands),
}

export const PackageManifest = Type.Union(Object.values(manifestSchemas), {
  title: 'PackageManifest',
  description: `The content of ${manifestName} in the folder of a package.`,
})

export type PackageManifest = { [K in ManifestKind]: Static<(typeof manifestSchemas)[K]> }[ManifestKind]

/** The manifest of a package whose commands run on computers. */
export type CommandManifest = Extract<PackageManifest, { secrets?: unknown }>

export function isForComputers(manifest: PackageManifest): manifest is CommandManifest {
  return ['software', 'inventoryScan', 'patchScan', 'patchFix'].includes(manifest.kind)
}
