import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Api } from '../api.ts'
import type { Node } from '../nodes.ts'
import { round } from '../round.ts'
import { reportTarget } from '../target.ts'
import type { Agents } from './fleet.ts'

const clicks = 100
const attackers = 10_000

let nextClick = 0

type TaskActions = { actions: { items: { attempt: number }[] } }

/** From the request that creates work until the agent has it. */
export async function measureClicks(api: Api, { clientIds }: Agents, label: string): Promise<void> {
  const times: number[] = []
  for (let click = 0; click < clicks; click++) {
    // Never the same twice: work that is still open would create none.
    const id = clientIds[nextClick++ % clientIds.length]
    const began = performance.now()
    const { trackingId } = await api.post<{ trackingId: string }>(`/api/computer/${id}/activation`, { pull: true })
    const hasBegun = async () => {
      const { actions } = await api.get<TaskActions>(`/api/tasks/${trackingId}`)
      return actions.items.some(({ attempt }) => attempt > 0)
    }
    while (!(await hasBegun())) {
      await sleep(10)
      if (performance.now() - began > 30_000) break
    }
    times.push(performance.now() - began)
  }
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => (sorted[Math.ceil(share * sorted.length) - 1] ?? 0) / 1e3
  console.log(`${label}: median ${round(at(0.5))} s, p95 ${round(at(0.95))} s, p99 ${round(at(0.99))} s.`)
  reportTarget(`${label}: p95 below 3 s and p99 below 10 s`, at(0.95) < 3 && at(0.99) < 10)
}

export async function measureAttack({ address }: Node, api: Api, agents: Agents): Promise<void> {
  const { port } = new URL(address)
  const connected = agents.countConnected()
  const sockets: Socket[] = []
  for (let at = 0; at < attackers; at++) {
    const socket = connect({ host: '127.0.0.1', port: Number(port), localAddress: `127.66.${at % 4}.1` })
    socket.on('error', () => {})
    if (at % 2 === 0) socket.write('GET /agent/v1/wake HTTP/1.1\r\nhost: a\r\nx: ')
    sockets.push(socket)
    if (at % 500 === 0) await sleep(50)
  }
  await sleep(5_000)
  await measureClicks(api, agents, `click to start beside ${attackers} idle and half-open connections`)
  const lost = connected - agents.countConnected()
  reportTarget(`agents that lost their connection to ${attackers} attackers: ${lost}, none`, lost === 0)
  for (const socket of sockets) socket.destroy()
}
