import { type Machine, machineOf } from '../src/machines/machine.ts'
import { departments, type Site, sites } from '../src/machines/people.ts'
import type { Scenario } from '../src/scenario.ts'
import type { Api } from './api.ts'

type Tree = 'ConfigurationGroups' | 'AssignmentGroups'

/** Ids of groups by their path below the root, for example `Europe/Berlin/Sales`. The path of the root is ''. */
export type Groups = { configuration: Map<string, string>; assignment: Map<string, string> }

export const pilot = 'Rings/Windows and others/Pilot'
export const broad = 'Rings/Windows and others/Broad'
export const developers = 'Software/Developers'
export const linuxOnly = 'Software/Linux'
const laptops = 'Laptops'

const regionOf = ({ timeZone }: Site) => (timeZone.startsWith('America') ? 'America' : 'Europe')

const sitePaths = sites.map((site) => `${regionOf(site)}/${site.name}`)

const configurationPaths = [
  'Europe',
  'America',
  ...sitePaths,
  ...sitePaths.flatMap((path) => departments.map((department) => `${path}/${department}`)),
]

const assignmentPaths = [
  'Rings',
  'Rings/Windows and others',
  pilot,
  broad,
  'Software',
  developers,
  linuxOnly,
  laptops,
  'Kiosks',
]

/** The path of the group for the site and department of a computer. */
export const groupPathOf = ({ site, department }: Machine) => `${regionOf(site)}/${site.name}/${department}`

/** Creates groups in both trees, three levels deep. */
export async function createGroups(api: Api): Promise<Groups> {
  const [configuration, assignment] = await Promise.all([
    createTree(api, 'ConfigurationGroups', configurationPaths),
    createTree(api, 'AssignmentGroups', assignmentPaths),
  ])
  return { configuration, assignment }
}

async function createTree(api: Api, type: Tree, paths: readonly string[]): Promise<Map<string, string>> {
  type Listed = { items: { id: string; parentId: string | null }[] }
  const { items } = await api.get<Listed>(`/api/group?type=${type}`)
  const root = items.find(({ parentId }) => parentId === null)
  if (!root) throw new Error(`The tree ${type} has no root.`)
  const ids = new Map([['', root.id]])
  const depthOf = (path: string) => path.split('/').length
  for (const depth of [1, 2, 3])
    await Promise.all(
      paths
        .filter((path) => depthOf(path) === depth)
        .map(async (path) => {
          const names = path.split('/')
          const name = names.pop()
          const parentId = ids.get(names.join('/'))
          const { id } = await api.post<{ id: string }>('/api/group', {
            name,
            type,
            parentId,
            description: descriptionOf(path),
          })
          ids.set(path, id)
        }),
    )
  return ids
}

/** Only some groups are described, as in real trees. */
const descriptionOf = (path: string) => (path.includes('/') ? null : `Everything below ${path}`)

/** Laptops belong to their group by a rule. It may change many, because inventories arrive while the demo runs. */
export async function setRules(api: Api, { assignment }: Groups): Promise<void> {
  await api.put(`/api/group/${groupId(assignment, laptops)}/rule`, {
    criteria: { models: ['EliteBook*', 'Latitude*', 'MacBook*', 'ThinkPad*'] },
    maxChangesPerHour: 5_000,
  })
}

/** The Linux computers are kept converged: what has failed on them is a wave at once, and so is everything that changes. */
export async function keepConverged(api: Api, { assignment }: Groups): Promise<void> {
  await api.put(`/api/group/${groupId(assignment, linuxOnly)}/convergence`, {
    state: 'On',
    rings: [
      { name: 'Pilot', groupId: groupId(assignment, pilot) },
      { name: 'First', count: 5, releaseMinutes: 30 },
      { name: 'Early', percent: 20 },
      { name: 'Everybody' },
    ],
    timeZone: 'Europe/Berlin',
    expectedComputers: 25,
    expectedPercent: 50,
  })
}

/** Returns the id of a group of the data set. */
export function groupId(groups: Map<string, string>, path: string): string {
  const id = groups.get(path)
  if (!id) throw new Error(`The data set has no group ${path}.`)
  return id
}

const dayMs = 86_400_000

/** Creates an enrolment token for each group of computers. Returns a function from the number of a computer to its token. */
export async function createEnrolmentTokens(api: Api, scenario: Scenario, { configuration }: Groups) {
  const expiresAtUtc = new Date(Date.now() + 365 * dayMs).toISOString()
  const leaves = [...configuration].filter(([path]) => path.split('/').length === 3)
  const tokens = await Promise.all(
    leaves.map(async ([path, id]) => {
      const description = `Computers of ${path.replaceAll('/', ', ')}`
      const { token } = await api.post<{ token: string }>('/api/enrolment-tokens', {
        description,
        groupId: id,
        expiresAtUtc,
      })
      return [path, token] as const
    }),
  )
  await createOtherTokens(api, expiresAtUtc)
  const byPath = new Map(tokens)
  return (number: number) => byPath.get(groupPathOf(machineOf(scenario, number))) ?? ''
}

/** A token for a limited number of computers, and one that was revoked. */
async function createOtherTokens(api: Api, expiresAtUtc: string): Promise<void> {
  await api.post('/api/enrolment-tokens', { description: 'Delivery of 25 laptops', expiresAtUtc, maxUses: 25 })
  const revoked = await api.post<{ id: number }>('/api/enrolment-tokens', { description: 'Sent by mail', expiresAtUtc })
  await api.delete(`/api/enrolment-tokens/${revoked.id}`)
}
