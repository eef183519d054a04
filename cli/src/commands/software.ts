import { answerOf, type components } from '@muster/client'
import { type Call, command, type Options, type Parameter } from '../command.ts'
import { CommandFailure } from '../errors.ts'
import type { Column } from '../output/output.ts'
import { ageOf } from '../output/times.ts'
import { limited, parseLimit } from './lists.ts'

type Version = components['schemas']['SoftwareVersion']
type Computer = components['schemas']['FleetComputer']

const versionColumns: readonly Column<Version>[] = [
  ['name', ({ name }) => name],
  ['version', ({ version }) => version],
  ['publisher', ({ publisher }) => publisher],
  ['computers', ({ computers }) => computers],
]

const computerColumns: readonly Column<Computer>[] = [
  ['computer', ({ hostname }) => hostname],
  ['domain', ({ domain }) => domain],
  ['system', ({ operatingSystem, osVersion }) => [operatingSystem, osVersion].filter(Boolean).join(' ')],
  ['user', ({ loggedOnUser }) => loggedOnUser],
  ['seen', ({ lastSeenUtc }) => ageOf(lastSeenUtc)],
  [
    'software',
    ({ software }) => software?.map(({ name, version }) => [name, version].filter(Boolean).join(' ')).join('; '),
  ],
]

const versionOptions: readonly Parameter[] = [
  ['--below <version>', 'Versions before this one'],
  ['--at-least <version>', 'This version and later ones'],
  ['--version-is <version>', 'This version only'],
]

function softwareQuery(name: string, { below, atLeast, versionIs }: Options) {
  return {
    software: name,
    ...(below !== undefined && { softwareBelow: String(below) }),
    ...(atLeast !== undefined && { softwareAtLeast: String(atLeast) }),
    ...(versionIs !== undefined && { softwareVersion: String(versionIs) }),
  }
}

export const software = command({
  name: 'software',
  summary: 'Who has which version of a program',
  description:
    'Lists the versions with their numbers of computers, or the computers. The name is complete, regardless of case; * is any text. ' +
    'Versions are compared as dpkg, rpm or, on other systems, numbers with dots.',
  arguments: [['<name>', 'Name of the software, such as openssl or "Mozilla Firefox*"']],
  options: [
    ...versionOptions,
    ['--computers', 'List the computers'],
    ['--limit <count>', 'List at most this many computers'],
  ],
  examples: [
    [
      'muster software openssl --below 3.0.16',
      'The versions of OpenSSL before 3.0.16, and on how many computers they are',
    ],
    ['muster software openssl --below 3.0.16 --computers -o csv', 'The computers that have one of them'],
  ],
  operations: ['listSoftwareVersions', 'listSoftwareNames', 'listFleetComputers'],
  async run({ args, client, options, output }) {
    const [name = ''] = args
    const query = softwareQuery(name, options)
    const found = await answerOf(client.GET('/api/fleet/software', { params: { query } }))
    if (found.versions.length === 0 && found.unknownVersions === 0) await requireName(client, name)
    if (options.computers === true) {
      const list = client.pages('/api/fleet/computers', { query: { ...query, top: 1_000 } })
      return output.rows(computerColumns, limited(list, parseLimit(options.limit)))
    }
    return output.rows(versionColumns, found.versions)
  },
})

/** A name that nothing has is mistyped more often than it is the answer. */
async function requireName(client: Call['client'], name: string): Promise<void> {
  const named = await answerOf(client.GET('/api/fleet/software', { params: { query: { software: name } } }))
  const words = name.replace(/[*?]/g, ' ').trim()
  if (named.versions.length > 0 || words === '') return
  const query = { search: words, top: 10 }
  const names = await answerOf(client.GET('/api/fleet/software/names', { params: { query } }))
  const hint = names.length > 0 ? ` Names that contain it: ${names.join(', ')}.` : ''
  throw new CommandFailure(`No software is named ${name}.${hint}`)
}
