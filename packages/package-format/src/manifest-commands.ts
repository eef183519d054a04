import { closed, type Static, Type, text } from '@muster/schema'
import { DeclaredDetection, detectionForms, listedProgram } from './manifest-detection.ts'

const returnCodes = (codes: readonly number[], description: string) =>
  Type.Optional(
    Type.Array(Type.Integer({ minimum: -(2 ** 31), maximum: 2 ** 32 - 1 }), {
      maxItems: 100,
      default: codes,
      examples: [codes],
      description,
    }),
  )

const commandProperties = {
  argv: Type.Optional(
    Type.Array(Type.String({ maxLength: 8_000 }), {
      minItems: 1,
      maxItems: 200,
      examples: [['sh', 'install.sh']],
      description:
        'Program and arguments, run without a shell. Give either argv or shell. No argument is expanded; on Windows, none may ' +
        'mention %MUSTER_VAR_…% or %MUSTER_SECRET_…%.',
    }),
  ),
  shell: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 8_000,
      examples: ['sh install.sh'],
      description:
        'Command line for the shell of the operating system. Give either argv or shell. On Windows, it must not mention ' +
        '%MUSTER_VAR_…% or %MUSTER_SECRET_…%, because cmd would run what it finds in the value.',
    }),
  ),
  timeLimitMinutes: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_440,
      default: 60,
      examples: [30],
      description: 'After this time the command is stopped and counts as failed.',
    }),
  ),
  successCodes: returnCodes([0], 'Return codes that mean success. For detect: the software is installed.'),
  rebootCodes: returnCodes([], 'Return codes that mean success once the computer is restarted.'),
}

export const PackageCommand = closed(commandProperties, {
  title: 'PackageCommand',
  description: 'Runs in the folder of the package, with the system account of the agent.',
})

export type ManifestCommand = Static<typeof PackageCommand>

/** How a program is removed without a command of the package. */
const RemovedProgram = closed(
  {
    ...listedProgram,
    arguments: Type.Optional(
      text(1_000, '/S', 'Arguments for a removal without questions, if the program has registered no such command'),
    ),
  },
  {
    title: 'RemovedProgram',
    description:
      'Windows: the agent runs the command that the program has registered for its removal, and waits until Windows no longer ' +
      'lists it. A program that is not listed is removed already.',
  },
)

export const PackageUninstall = closed(
  { ...commandProperties, program: Type.Optional(RemovedProgram) },
  { title: 'PackageUninstall', description: 'A command like the others, or the program that is removed.' },
)

export type ManifestUninstall = Static<typeof PackageUninstall>

export const PackageDetection = closed(
  { ...commandProperties, ...DeclaredDetection.properties },
  {
    title: 'PackageDetection',
    description: 'How the agent finds out whether the software is installed: a command, or one of the declared forms.',
  },
)

export type ManifestDetection = Static<typeof PackageDetection>

export const PackageCommands = closed(
  {
    install: Type.Optional(PackageCommand),
    update: Type.Optional(PackageCommand),
    uninstall: Type.Optional(PackageUninstall),
    detect: Type.Optional(PackageDetection),
    before: Type.Optional(PackageCommand),
    after: Type.Optional(PackageCommand),
  },
  {
    title: 'PackageCommands',
    description:
      'install is required, unless the package has msi or source. Fixes of patches may have steps around it: if before fails, no ' +
      'patch is installed; after runs whenever before has run, or install, whatever their results are.',
  },
)

export type ManifestCommands = Static<typeof PackageCommands>

/** Whether agents need to know more than how to run a command. */
export const hasDeclaredForm = ({ before, after, detect, uninstall }: ManifestCommands) =>
  before !== undefined ||
  after !== undefined ||
  uninstall?.program !== undefined ||
  detectionForms.some((form) => detect?.[form] !== undefined)

export const PackageMsi = closed(
  {
    file: text(1_000, 'greeting.msi', 'MSI file, as a path relative to the folder of the package'),
    properties: Type.Optional(
      Type.Unsafe<Record<string, string>>({
        type: 'object',
        propertyNames: { type: 'string', pattern: '^[A-Za-z_][A-Za-z0-9_.]{0,71}$' },
        additionalProperties: { type: 'string', maxLength: 1_000 },
        maxProperties: 50,
        default: {},
        examples: [{ ALLUSERS: '1' }],
        description:
          'Public properties that the installation gets. The agent replaces variables of the environment such as %NAME%. ' +
          'A value with a quotation mark or a control character fails the work.',
      }),
    ),
    timeLimitMinutes: commandProperties.timeLimitMinutes,
  },
  {
    title: 'PackageMsi',
    description:
      'The agent installs, updates and removes the MSI file with msiexec, finds it by its product code, and takes the ' +
      'return codes 3010 and 1641 as a restart that must follow. Commands of the package replace these.',
  },
)

export type ManifestMsi = Static<typeof PackageMsi>
