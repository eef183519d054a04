import { randomUUID } from 'node:crypto'
import { until } from '../../simulator/demo/api.ts'
import { createToken, keepOnly } from './agent-failures.ts'
import type { CleanSystem } from './clean-system.ts'
import type { Muster } from './muster.ts'
import { verify } from './verify.ts'

/** The computer of the system, and the group that its token has put it into. */
export type Computer = { id: number; groupId: string }

type Agent = { inventory: { agentVersion: string } | null }

export const versionOf = async ({ api }: Muster, { id }: Computer) =>
  (await api.get<Agent>(`/api/computer/${id}/uem-agent`)).inventory?.agentVersion

/** Runs the command of an enrolment token as it is printed, twice. */
export async function tryInstallation(muster: Muster, system: CleanSystem): Promise<Computer> {
  const { api } = muster
  const { items } = await api.get<{ items: { id: string; parentId: string | null }[] }>(
    '/api/group?type=AssignmentGroups',
  )
  const parentId = items.find((group) => group.parentId === null)?.id
  const group = await api.post<{ id: string }>('/api/group', { name: 'Tills', type: 'AssignmentGroups', parentId })
  const { linux } = await createToken(muster, group.id)
  console.log(`    ${linux.replace(/enrol-\S+/, 'enrol-…')}`)
  const computersOf = async () =>
    (await api.get<{ items: { id: number; hostname: string }[] }>(`/api/group/${group.id}/computers`)).items

  // The system shares the hardware of this machine, which Muster knows already as that of its own server.
  const identity = `MUSTER_AGENT_MAC=02:00:5e:00:53:17\nMUSTER_AGENT_UUID=${randomUUID()}`
  await system.within(`mkdir /etc/muster-agent && echo '${identity}' > /etc/muster-agent/agent.env`)
  await system.within(keepOnly('minisign'))
  const first = await system.within(linux)
  const [computer] = await computersOf()
  verify(
    'the command installs the agent and enrols the computer, with minisign',
    {
      'code 0': first.code === 0,
      message: first.output.includes('till-7 is enrolled with'),
      'in its group': computer?.hostname.toLowerCase() === 'till-7',
    },
    first,
  )
  const enrolled = { id: computer?.id ?? 0, groupId: group.id }
  const isActive = async () => (await system.within('systemctl is-active muster-agent')).output === 'active'
  type Software = { items: { productName: string }[] }
  const software = await until(
    async () => {
      const found = await api
        .get<Software>(`/api/computer/${enrolled.id}/inventory/installed-software?top=500`)
        .catch(() => undefined)
      return found && found.items.length > 0 ? found.items : undefined
    },
    'the inventory',
    60_000,
  )
  verify(`systemd runs the agent, which sends its version and its inventory (${software.length} programs)`, {
    active: await isActive(),
    enabled: (await system.within('systemctl is-enabled muster-agent')).output === 'enabled',
    version: (await versionOf(muster, enrolled)) === '1.0.0',
    software: software.some(({ productName }) => productName.includes('systemd')),
    'state for root only': (await system.within('stat -c %a /var/lib/muster-agent')).output === '700',
    'configuration for root only': (await system.within('stat -c %a /etc/muster-agent/agent.env')).output === '600',
  })

  await system.within(keepOnly('openssl'))
  const files = await system.listFiles()
  const second = await system.within(linux)
  await until(async () => (await isActive()) || undefined, 'the agent to run again', 60_000)
  verify(
    'the same command a second time, with OpenSSL, changes nothing',
    {
      'code 0': second.code === 0,
      'one computer': (await computersOf()).length === 1,
      'same files':
        (await system.listFiles()).filter((path) => !files.includes(path) && !path.includes('/var/lib/')).length === 0,
      'configuration kept': (await system.within('cat /etc/muster-agent/agent.env')).output === identity,
    },
    second,
  )
  return enrolled
}

/** Removes the agent with its own command, without dpkg: once with its state left, once without. */
export async function tryRemoval(muster: Muster, system: CleanSystem, computer: Computer): Promise<void> {
  const removed = await system.within('/usr/lib/muster-agent/uninstall')
  const kept = await system.within('ls -d /etc/muster-agent/agent.env /var/lib/muster-agent/identity.json')
  verify(
    'the uninstallation removes the agent, and keeps its configuration and its state',
    {
      'code 0': removed.code === 0,
      kept: kept.code === 0,
      stopped: (await system.within('systemctl is-active muster-agent')).output === 'inactive',
      'no process': (await system.within('pgrep -f muster-agent')).code !== 0,
      'no programs': (await system.within('ls -d /usr/bin/muster-agent /usr/lib/muster-agent')).code !== 0,
    },
    removed,
  )

  const again = await system.within((await createToken(muster, computer.groupId)).linux)
  verify(
    'an installation after that is the same computer',
    {
      'code 0': again.code === 0,
      'same computer': again.output.includes(`as computer ${computer.id}.`),
    },
    again,
  )
  const purged = await system.within('/usr/lib/muster-agent/uninstall --purge')
  const left = (await system.listFiles()).filter((path) => path.includes('muster'))
  verify(
    'the uninstallation with --purge leaves nothing',
    { 'code 0': purged.code === 0, 'no file': left.length === 0 },
    { ...purged, left },
  )
}
