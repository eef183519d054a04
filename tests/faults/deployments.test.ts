import { randomInt } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { until } from '../../server/test/database/embedded-postgres/muster.ts'
import { modelRuns } from '../../server/test/world/model-runs.ts'
import { startServiceProcess } from '../../server/test/world/service-process.ts'
import { type Json, type Muster, startMuster } from '../../server/test/world/start-muster.ts'
import { type Agent, enrolAgent } from '../end-to-end/agents.ts'

const agentCount = 4
const packageCount = 25
/** Every eighth kills the service, the others an agent. */
const kills = modelRuns(16)
const names = Array.from({ length: packageCount }, (_, n) => `tool-${n}`)

type Deployment = { status: string; installationState: string }

test('100 deployments run exactly once, and all records agree, even if service and agents are killed at any time', async () => {
  const muster = await startMuster()
  const groupId = await muster.group('Faults')
  await assignTemplate(muster, groupId)
  const packageIds = await Promise.all(names.map((name) => importTool(muster, name)))
  for (const packageId of packageIds) await muster.post(`/api/group/${groupId}/packages`, { packageId })
  const token = await muster.enrolmentToken(groupId)
  const agents = await Promise.all(
    Array.from({ length: agentCount }, (_, n) =>
      enrolAgent({ server: muster.service.address, token, name: `victim-${n}` }),
    ),
  )
  const { trackingId } = await muster.post(`/api/group/${groupId}/activation`, { software: true })
  const { total, open } = await muster.get(`/api/tasks/${trackingId}`)
  expect({ total, open }).toEqual({ total: agentCount * packageCount, open: agentCount * packageCount })

  const outputs = await killAtRandom(muster, agents)
  await allDone(muster, trackingId, outputs)

  for (const agent of agents) {
    expect(await installedBy(agent)).toEqual(names.toSorted())
    await until(async () => ((await journalOf(agent)).length === 0 ? true : undefined), 30_000)
  }
  expect(await muster.get(`/api/tasks/${trackingId}`)).toMatchObject({
    status: 2,
    open: 0,
    succeeded: total,
    failed: 0,
  })
  expect(await muster.get('/api/tasks')).toMatchObject({ totalCount: 1 })
  for (const name of agents.keys()) await expectAllInstalled(muster, await clientId(muster, `victim-${name}`))
  expect(await eventCounts(muster)).toEqual({ Pending: total, Success: total, Failed: 0, Cancelled: 0 })
}, 240_000)

/** Kills the service and agents while they work, and starts them again. */
async function killAtRandom(muster: Muster, agents: readonly Agent[]): Promise<() => string> {
  const { service, store } = muster
  const env = { MUSTER_PORT: new URL(service.address).port, MUSTER_PACKAGE_STORE: store }
  let serving: { kill(signal: NodeJS.Signals): Promise<unknown> } = service
  const running = agents.map((agent) => agent.run())
  const outputs: string[] = []
  for (let kill = 0; kill < kills; kill++) {
    await sleep(randomInt(20, 500))
    if (kill % 8 === 7) {
      await serving.kill('SIGKILL')
      serving = await startServiceProcess({ dataDirectory: service.dataDirectory, env })
      continue
    }
    const victim = randomInt(agents.length)
    await running[victim]?.kill('SIGKILL')
    outputs.push(`--- victim-${victim}\n${running[victim]?.output()}`)
    const again = agents[victim]?.run()
    if (again) running[victim] = again
  }
  return () => [...outputs, ...running.map(({ output }, n) => `--- victim-${n}, last\n${output()}`)].join('\n')
}

async function allDone(muster: Muster, trackingId: unknown, outputs: () => string): Promise<void> {
  let last: Json = {}
  const done = until(async () => {
    last = await muster.get(`/api/tasks/${trackingId}?top=1`)
    return last.open === 0 ? true : undefined
  }, 60_000)
  await done.catch(() => {
    throw new Error(`${last.open} work items stay open.\n${outputs()}`)
  })
}

async function assignTemplate(muster: Muster, groupId: string): Promise<void> {
  const settings = { contactIntervalMinutes: 0.01 }
  const template = { name: 'quick-agents', version: '1', operatingSystems: ['Linux'], kind: 'agentTemplate', settings }
  await muster.write('quick-agents/muster-package.json', JSON.stringify(template))
  await muster.post(`/api/group/${groupId}/agent-template`, { packageId: await muster.importFolder('quick-agents') })
}

async function importTool(muster: Muster, name: string): Promise<string> {
  const list = '"$MUSTER_EXAMPLE_ROOT/installed"'
  const commands = {
    install: { shell: `mkdir -p "$MUSTER_EXAMPLE_ROOT" && cat name.txt >> ${list}`, timeLimitMinutes: 1 },
    detect: { shell: `grep -qx "$MUSTER_PACKAGE_NAME" ${list}`, timeLimitMinutes: 1 },
  }
  const manifest = { name, version: '1', operatingSystems: ['Linux'], kind: 'software', commands }
  await muster.write(`${name}/muster-package.json`, JSON.stringify(manifest))
  await muster.write(`${name}/name.txt`, `${name}\n`)
  return muster.importFolder(name)
}

async function installedBy({ root }: Agent): Promise<string[]> {
  return (await readFile(join(root, 'installed'), 'utf8')).trimEnd().split('\n').toSorted()
}

/** The entries whose results the agent has not yet seen acknowledged. */
async function journalOf({ root }: Agent): Promise<string[]> {
  return (await readdir(join(dirname(root), 'state/journal'))).filter((name) => name !== 'ballast')
}

async function clientId(muster: Muster, hostname: string): Promise<number> {
  const { items } = await muster.post<{ items: { id: number }[] }>('/api/computer/search', { hostname })
  return items[0]?.id ?? 0
}

async function expectAllInstalled(muster: Muster, computer: number): Promise<void> {
  const deployments = await muster.get<Deployment[]>(`/api/computer/${computer}/software-deployment`)
  expect(deployments.map(({ status, installationState }) => `${status} ${installationState}`)).toEqual(
    names.map(() => 'Success Installed'),
  )
  expect(await muster.get(`/api/computer/${computer}/software-reinstall`)).toMatchObject({ totalCount: 0 })
}

async function eventCounts(muster: Muster) {
  const count = async (result: string) =>
    (await muster.post('/api/computer/distribution-history/search', { result })).totalCount
  return {
    Pending: await count('Pending'),
    Success: await count('Success'),
    Failed: await count('Failed'),
    Cancelled: await count('Cancelled'),
  }
}
