import { readFileSync } from 'node:fs'
import { readdir, readFile, readlink } from 'node:fs/promises'
import type { HttpClient } from './http-client.ts'

/** The worker processes of a service. */
export async function listWorkers(servicePid: number): Promise<number[]> {
  const children = await readFile(`/proc/${servicePid}/task/${servicePid}/children`, 'utf8')
  const workers: number[] = []
  for (const child of children.split(' ').filter(Boolean)) {
    const command = await readFile(`/proc/${child}/cmdline`, 'utf8').catch(() => '')
    if (command.includes('/worker.js')) workers.push(Number(child))
  }
  return workers
}

/** A process and all that it and its children have started; only those that still run. */
export function withDescendants(pid: number): number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    return [pid, ...children.split(' ').filter(Boolean).map(Number).flatMap(withDescendants)]
  } catch {
    return []
  }
}

/** The clients whose connection this process serves. */
export async function findClientsOf(
  pid: number,
  clients: Iterable<HttpClient>,
  servicePort: number,
): Promise<Set<HttpClient>> {
  const links = (await readdir(`/proc/${pid}/fd`)).map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => ''))
  const sockets = new Set(await Promise.all(links))
  const table = await readFile('/proc/net/tcp', 'utf8')
  const remotePorts = new Set<number>()
  for (const line of table.trim().split('\n').slice(1)) {
    const [, local = '', remote = '', , , , , , , inode] = line.trim().split(/\s+/)
    if (portOf(local) === servicePort && sockets.has(`socket:[${inode}]`)) remotePorts.add(portOf(remote))
  }
  return new Set([...clients].filter((client) => remotePorts.has(client.localPort() ?? 0)))
}

function portOf(address: string): number {
  return Number.parseInt(address.split(':')[1] ?? '', 16)
}
