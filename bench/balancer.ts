import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from './free-port.ts'
import type { Node } from './nodes.ts'

export function hasBalancer(): boolean {
  try {
    execFileSync('haproxy', ['-v'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Runs HAProxy with one address per group of nodes. */
export async function withBalancer(
  groups: readonly (readonly Node[])[],
  run: (addresses: readonly string[]) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-bench-'))
  const ports = await Promise.all(groups.map(() => findFreePort()))
  const file = join(folder, 'haproxy.cfg')
  await writeFile(file, [defaults, ...groups.map((nodes, at) => buildSection(at, ports[at] ?? 0, nodes))].join('\n'))
  const child = spawn('haproxy', ['-db', '-q', '-f', file], { stdio: 'inherit' })
  const exited = once(child, 'exit')
  try {
    const addresses = ports.map((port) => `http://127.0.0.1:${port}`)
    await Promise.all(addresses.map(waitForHealth))
    await run(addresses)
  } finally {
    child.kill('SIGTERM')
    await exited
    await rm(folder, { recursive: true })
  }
}

// As docs/scaling.md recommends: a request that a dead node cannot have received goes to another node.
const defaults = `
global
  maxconn 2000
defaults
  mode http
  balance leastconn
  option httpchk GET /health
  option redispatch
  retries 3
  retry-on conn-failure
  timeout connect 2s
  timeout check 5s
  timeout client 65s
  timeout server 65s
  default-server inter 500ms fall 2 rise 1 observe layer4 on-error mark-down error-limit 1
`

function buildSection(at: number, port: number, nodes: readonly Node[]): string {
  const servers = nodes.map(({ address }, node) => `  server node${node} ${new URL(address).host} check`)
  return [`listen group${at}`, `  bind 127.0.0.1:${port}`, ...servers, ''].join('\n')
}

async function waitForHealth(address: string): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const answer = await fetch(`${address}/health`).catch(() => undefined)
    if (answer?.ok) return
    await sleep(100)
  }
  throw new Error(`Nothing answers at ${address}.`)
}
