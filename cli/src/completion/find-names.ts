import type { MusterClient } from '@muster/client'
import { isDeceptive } from '@muster/text'
import { readOperations } from '../api/document.ts'
import type { NameKind } from '../command.ts'
import { connect, type ProfileChoice } from '../credentials/connect.ts'
import { readCredentials } from '../credentials/credentials-file.ts'
import { formatTemplate } from '../names/agent-templates.ts'
import { fullName } from '../names/computers.ts'
import { formatGroupPath, listPlacedGroups, type PlacedGroup } from '../names/groups.ts'
import { listAnyPrincipals, principalName } from '../names/principals.ts'
import { listRoles } from '../names/roles.ts'
import type { Terminal } from '../terminal.ts'
import type { FindNames } from './complete.ts'

/** A person waits for the names, and can interrupt it. Without them, the shell only offers less. */
const timeoutMs = 10_000
const maxNames = 100

type Find = (client: MusterClient, beginning: string) => Promise<readonly string[]>

const finders: Record<Exclude<NameKind, 'profile'>, Find> = {
  async computer(client, beginning) {
    const [search = ''] = beginning.split('.')
    const page = await client.GET('/api/fleet/computers', {
      params: { query: { top: maxNames, sort: 'hostname', ...(search && { search }) } },
    })
    const computers = page.data?.items ?? []
    const isUnique = ({ hostname }: { hostname: string }) =>
      computers.filter((one) => one.hostname === hostname).length === 1
    return computers.map((one) => (isUnique(one) && !beginning.includes('.') ? one.hostname : fullName(one)))
  },

  /** The shortest way to name a group: its path without the root, or its name, if only one group has it. */
  async group(client, beginning) {
    const groups = await listPlacedGroups(client)
    const shortOf = ({ path }: PlacedGroup) => path.slice(1).join('/')
    const nameOf = ({ path }: PlacedGroup) => path.at(-1) ?? ''
    const counts = new Map<string, number>()
    for (const group of groups)
      for (const text of new Set([shortOf(group), nameOf(group)])) counts.set(text, (counts.get(text) ?? 0) + 1)
    return groups.map((group) => {
      const texts = [shortOf(group), nameOf(group)].filter((text) => text !== '' && counts.get(text) === 1)
      return texts.find((text) => text.startsWith(beginning)) ?? formatGroupPath(group)
    })
  },

  async package(client, beginning) {
    const [search = ''] = beginning.split('@')
    const page = await client.GET('/api/fleet/packages', {
      params: { query: { top: maxNames, ...(search && { search }) } },
    })
    const packages = page.data?.items ?? []
    const isUnique = (name: string) => packages.filter((one) => one.name === name).length === 1
    return packages.map(({ name, version }) =>
      version && (!isUnique(name) || beginning.includes('@')) ? `${name}@${version}` : name,
    )
  },

  async rollout(client) {
    const page = await client.GET('/api/rollouts', { params: { query: { top: maxNames } } })
    return (page.data?.items ?? []).map(({ name }) => name)
  },

  async 'agent template'(client) {
    const page = await client.GET('/api/agent-templates', { params: { query: { top: maxNames } } })
    return (page.data?.items ?? []).map(formatTemplate)
  },

  async 'patch policy'(client) {
    const page = await client.GET('/api/patch-policies', { params: { query: { top: maxNames } } })
    return (page.data?.items ?? []).map(({ name }) => name)
  },

  async webhook(client) {
    const page = await client.GET('/api/webhooks', { params: { query: { top: maxNames } } })
    return (page.data?.items ?? []).map(({ name }) => name)
  },

  async report(client) {
    const page = await client.GET('/api/reports', { params: { query: { top: maxNames } } })
    return (page.data?.items ?? []).map(({ name }) => name)
  },

  async principal(client) {
    return (await listAnyPrincipals(client)).map(principalName)
  },

  async role(client) {
    return (await listRoles(client)).map(({ role }) => role)
  },

  async operation(client) {
    return (await readOperations(client)).map(({ id }) => id)
  },
}

/**
 * A name is put into the command line of a person. One that would be read as an option, or that shows something other than it is,
 * has to be typed.
 */
const isOfferable = (name: string) => name !== '' && !name.startsWith('-') && !isDeceptive(name)

/** Finds names with the sign-in of the person. If nobody has signed in, there are none. */
export const namesFor =
  (terminal: Terminal, choice: ProfileChoice): FindNames =>
  async (kind, beginning) => {
    if (kind === 'profile') return Object.keys((await readCredentials(terminal.environment)).profiles)
    const signal = AbortSignal.timeout(timeoutMs)
    const send: Terminal['send'] = (request) => terminal.send(new Request(request, { signal }))
    try {
      const client = await connect({ ...terminal, send }, choice)
      return [...new Set(await finders[kind](client, beginning))].filter(isOfferable)
    } catch {
      return []
    }
  }
