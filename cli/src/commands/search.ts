import { answerOf, type components } from '@muster/client'
import { command } from '../command.ts'
import { CommandFailure } from '../errors.ts'
import { parseCount } from '../numbers.ts'
import type { Column } from '../output/output.ts'

type Found = components['schemas']['FoundInFleet']
type Item<Kind extends keyof Found> = NonNullable<Found[Kind]>[number]

type Match = { kind: string; name: string; detail: string; id: string | number | null }

/** How the matches of each kind are listed, in the order of the answer. */
const toMatch: { [Kind in keyof Found]: (item: Item<Kind>) => Match } = {
  computers: ({ id, hostname, domain, matchedBy, matchedText, operatingSystem }) => ({
    ...{ kind: 'computer', name: hostname, id },
    detail: matchedBy === 'Name' ? [domain, operatingSystem].filter(Boolean).join(', ') : matchedText,
  }),
  users: ({ name }) => ({ kind: 'user', name, detail: '', id: null }),
  packages: ({ id, name, version }) => ({ kind: 'package', name, detail: version ?? '', id }),
  groups: ({ groupId, name, path }) => ({ kind: 'group', name, detail: path, id: groupId }),
  rollouts: ({ id, name, state }) => ({ kind: 'rollout', name, detail: state, id }),
  cves: ({ cve, patchCount }) => ({ kind: 'vulnerability', name: cve, detail: `patches: ${patchCount}`, id: null }),
  patches: ({ patchId, patchName, missing, severity }) => ({
    ...{ kind: 'patch', name: patchName, id: patchId },
    detail: `${severity}, missing on ${missing} computers`,
  }),
  principals: ({ id, kind, name }) => ({ kind: 'principal', name, detail: kind, id }),
}

const columns: readonly Column<Match>[] = [
  ['kind', ({ kind }) => kind],
  ['name', ({ name }) => name],
  ['detail', ({ detail }) => detail],
  ['id', ({ id }) => id],
]

export const search = command({
  name: 'search',
  summary: 'Find computers, users, packages, patches, groups, rollouts and principals',
  description: 'Lists the best matches of everything that the roles of the caller may read.',
  arguments: [['<text...>', 'Part of a name, serial number, user, address, KB or CVE number']],
  options: [['--limit <count>', 'List at most this many of each kind (1 to 20, 6 by default)']],
  examples: [
    ['muster search pc-01', 'Computers whose names contain pc-01, and whatever else does'],
    ['muster search CVE-2026-12345', 'The patches that fix a vulnerability'],
  ],
  operations: ['searchFleet'],
  async run({ client, names, options, output }) {
    const top = options.limit === undefined ? undefined : parseCount(options.limit, '--limit')
    const query = { search: names.join(' '), ...(top !== undefined && { top }) }
    const found = await answerOf(client.GET('/api/fleet/search', { params: { query } }))
    const kinds = Object.keys(toMatch) as (keyof Found)[]
    const matches = kinds.flatMap((kind) => (found[kind] ?? []).map(toMatch[kind] as (item: unknown) => Match))
    if (kinds.every((kind) => found[kind] === null))
      throw new CommandFailure('Your roles read nothing that is searched.')
    await output.rows(columns, matches)
  },
})
