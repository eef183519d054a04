import { closed, enumOf, type Static, Type, text } from '@muster/schema'

const versions = {
  version: Type.Optional(text(100, '1.2.0', 'Installed is exactly this version.')),
  minVersion: Type.Optional(text(100, '1.2.0', 'Installed is this version or a later one.')),
}

const registry = closed(
  {
    key: Type.String({
      pattern: '^(HKLM|HKU)\\\\[^\\\\].*$',
      maxLength: 1_000,
      examples: ['HKLM\\SOFTWARE\\Example\\Greeting'],
      description: 'A key below HKLM or HKU. HKCU would be that of the account of the agent.',
    }),
    view: enumOf(['32', '64'], {
      description: 'Which programs see the key: those with 32 or with 64 bits. The agent never guesses.',
    }),
    value: Type.Optional(
      text(1_000, 'Version', 'Name of a value of the key; empty for its default value. Without it, the key is enough.'),
    ),
    equals: Type.Optional(text(8_000, 'yes', 'The value is exactly this text.')),
    ...versions,
  },
  { title: 'DetectRegistry', description: 'Windows: a key of the registry, or one of its values' },
)

const file = closed(
  {
    path: text(
      1_000,
      '%ProgramFiles%\\Greeting\\greeting.exe',
      'Absolute path. On Windows, variables of the environment are replaced.',
    ),
    ...versions,
  },
  { title: 'DetectFile', description: 'A file or folder. Only on Windows does a file have a version.' },
)

const msi = closed(
  {
    productCode: Type.String({
      pattern: '^\\{[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}\\}$',
      examples: ['{8D3A4F0C-5A0B-4B43-9C1E-0D1E5B6A7F21}'],
      description: 'Product code, with braces',
    }),
    ...versions,
  },
  { title: 'DetectMsi', description: 'Windows: a product that Windows Installer has installed' },
)

const dpkg = closed(
  {
    package: Type.String({
      pattern: '^[a-z0-9][a-z0-9+.-]+(:[a-z0-9-]+)?$',
      maxLength: 200,
      examples: ['hello'],
      description: 'Name of the package, with its architecture if several are installed',
    }),
    ...versions,
  },
  { title: 'DetectDpkg', description: 'Debian and its relatives: an installed package' },
)

const rpm = closed(
  {
    package: Type.String({
      pattern: '^[A-Za-z0-9_][A-Za-z0-9._+-]*$',
      maxLength: 200,
      examples: ['hello'],
      description: 'Name of the package, without its architecture',
    }),
    ...versions,
  },
  { title: 'DetectRpm', description: 'Red Hat, SUSE and their relatives: an installed package' },
)

/** How Windows lists a program that is installed for all users. */
export const listedProgram = {
  id: Type.Optional(
    Type.String({
      pattern: '^[^\\\\]+$',
      maxLength: 255,
      examples: ['7-Zip'],
      description: 'Name of its key below Uninstall in the registry. Give either id or name.',
    }),
  ),
  name: Type.Optional(
    text(
      255,
      '7-Zip 24.08 (x64)',
      'Name that Windows shows. Case, punctuation, and versions and architectures in names are not compared.',
    ),
  ),
  publisher: Type.Optional(
    text(255, 'Igor Pavlov', 'Publisher that Windows shows, if several programs have the same name'),
  ),
}

const program = closed(
  { ...listedProgram, ...versions },
  {
    title: 'DetectProgram',
    description: 'Windows: a program, of 32 or 64 bits, that Windows lists as installed for all users',
  },
)

/** The forms in which a manifest declares how software is found, in place of a command. */
export const DeclaredDetection = closed({
  registry: Type.Optional(registry),
  file: Type.Optional(file),
  msi: Type.Optional(msi),
  dpkg: Type.Optional(dpkg),
  rpm: Type.Optional(rpm),
  program: Type.Optional(program),
})

export const detectionForms = Object.keys(DeclaredDetection.properties) as (keyof Static<typeof DeclaredDetection>)[]
