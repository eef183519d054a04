import { closed, type Static, Type, text } from '@muster/schema'

/** Names and versions as each family of distributions spells them. None of them can be an option or a pattern of a tool. */
export const sourcePatterns = {
  deb: {
    // A hyphen behind a name asks for a removal.
    name: '[a-z0-9][a-z0-9+.-]{0,198}[a-z0-9+.](:[a-z0-9][a-z0-9-]{0,30})?',
    version: '([0-9]{1,9}:)?[0-9][A-Za-z0-9.+~-]{0,89}',
  },
  rpm: {
    name: '[A-Za-z0-9_][A-Za-z0-9._+-]{0,199}',
    version: '([0-9]{1,9}:)?[A-Za-z0-9][A-Za-z0-9._+~^]{0,59}(-[A-Za-z0-9._+~^]{1,30})?',
  },
} as const

export type SourceFamily = keyof typeof sourcePatterns

/** No credentials, no query and no line end: the address becomes a line of a file. Variables of dnf such as $basearch are allowed. */
const urlPattern =
  '^(https://[A-Za-z0-9][A-Za-z0-9.-]{0,252}(:[0-9]{1,5})?|file://)(/[A-Za-z0-9._~+%$-]{1,255}){0,50}/?$'

const Repository = closed(
  {
    url: Type.String({
      pattern: urlPattern,
      maxLength: 1_000,
      examples: ['https://packages.example.org/debian'],
      description: 'Address of the repository, with https or file',
    }),
    suite: Type.Optional(
      Type.String({
        pattern: '^(\\./|[A-Za-z0-9][A-Za-z0-9._-]*(/[A-Za-z0-9._-]+)*/?)$',
        maxLength: 200,
        examples: ['stable'],
        description: 'deb: the suite; ./ for a repository without suites. Required for deb.',
      }),
    ),
    components: Type.Optional(
      Type.Array(Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._/-]{0,99}$' }), {
        minItems: 1,
        maxItems: 20,
        examples: [['main']],
        description: 'deb: the components of the suite. Required, unless the suite ends with a slash.',
      }),
    ),
    key: Type.String({
      pattern: '^-----BEGIN PGP PUBLIC KEY BLOCK-----\\r?\\n[ -~\\r\\n]+-----END PGP PUBLIC KEY BLOCK-----\\s*$',
      maxLength: 64_000,
      examples: [
        '-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nmDMEZ0000BYJKwYBBAHaRw8BAQdA=\n=0000\n-----END PGP PUBLIC KEY BLOCK-----\n',
      ],
      description: 'The public key that signs the repository, as text. Nothing that it has not signed is installed.',
    }),
  },
  {
    title: 'PackageRepository',
    description:
      'A repository that is added to those of the computer, in a file of its own. It is removed with the last package that uses it.',
  },
)

export const PackageSource = closed(
  {
    package: Type.String({
      pattern: `^(deb:${sourcePatterns.deb.name}|rpm:${sourcePatterns.rpm.name})$`,
      maxLength: 250,
      examples: ['deb:nginx'],
      description: 'deb: or rpm:, and the name of the package in the repositories',
    }),
    version: Type.Optional(text(100, '1.26.3-3', 'Exactly this version. rpm: without a release, any release of it.')),
    minVersion: Type.Optional(
      text(100, '1.26', 'The newest version that the repositories have, and at least this one.'),
    ),
    repository: Type.Optional(Repository),
    keepVersion: Type.Optional(
      Type.Boolean({
        examples: [true],
        description:
          'true: other updates do not change the version. false: a lock is removed. Without it, a lock on the computer is respected.',
      }),
    ),
    allowDowngrade: Type.Optional(
      Type.Boolean({
        default: false,
        examples: [false],
        description: 'Whether a newer version on the computer is replaced with the exact version',
      }),
    ),
    timeLimitMinutes: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_440,
        default: 60,
        examples: [30],
        description: 'After this time the installation is stopped and counts as failed.',
      }),
    ),
  },
  {
    title: 'PackageSource',
    // Together, the examples of all properties would be refused.
    examples: [{ package: 'deb:nginx', version: '1.26.3-3', keepVersion: true }],
    description:
      'The package comes from a repository, and has no files and commands: apt, dnf, yum or zypper of the computer installs and ' +
      'removes it. Without version and minVersion, it is the newest version that the repositories have.',
  },
)

export type ManifestSource = Static<typeof PackageSource>

/** The family and the name of the package in the repositories. */
export function parseSource({ package: name }: Pick<ManifestSource, 'package'>): {
  family: SourceFamily
  name: string
} {
  return { family: name.startsWith('rpm:') ? 'rpm' : 'deb', name: name.slice('deb:'.length) }
}
