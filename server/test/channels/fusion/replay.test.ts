import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { getUemAgent } from '../../../src/features/agents/api/get-uem-agent.ts'
import { listSetupErrorLog } from '../../../src/features/deployments/api/history/list-setup-error-log.ts'
import { listInstalledSoftware } from '../../../src/features/inventory/api/list-installed-software.ts'
import { deviceIdOf, fromComputer, openFusionWorld, sample, samples } from './fusion-world.ts'

const world = await openFusionWorld()
const { app, as, computerOf, db, enrolmentToken, post, readyPackage, state, work } = world

type Recorded = { method: 'GET' | 'POST'; url: string; headers: Record<string, string>; message?: string }

const conversation = (name: string): Recorded[] =>
  sample(name)
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

/** Like the recorded package: its command is action number 3. */
const files = { 'setup.sh': 'sh', 'sub/data.txt': 'data' }
const manifest = JSON.stringify({
  commands: { install: { shell: 'sh ./setup.sh', successCodes: [0] } },
})

/** Replays recorded requests, with the addresses and the job id that the service returns. */
async function replay(recorded: readonly Recorded[], secret: string, bodies: Record<string, string>) {
  const [, machineid = ''] =
    /machineid=([\w-]+)/.exec(recorded.find(({ url }) => url.includes('machineid'))?.url ?? '') ?? []
  const wanted = await readyPackage({ files, manifest })
  let [remote, job, parts] = ['', '', [] as string[]]
  for (const { method, url, headers, message } of recorded) {
    if (method === 'POST') {
      const { status } = await post(bodies[message ?? ''] ?? '', { headers, secret })
      expect(status).toBe(200)
      // The work can be created only when the computer exists.
      if (message === 'inventory') await work(await computerOf(machineid), wanted)
      continue
    }
    if (url.startsWith('/files/')) {
      const part = parts.shift()
      if (part) expect((await app.http.inject({ url: part, headers })).statusCode).toBe(200)
      continue
    }
    const query = url.slice(url.indexOf('?')).replace(/uuid=[\w-]+/, `uuid=${job}`)
    const answer = await app.http.inject({ url: `${remote || `/agent/fusion/${secret}`}${query}`, headers })
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toBe('application/json')
    const body = answer.json()
    if (body.schedule) remote = new URL(body.schedule[0].remote).pathname
    if (body.jobs) {
      job = body.jobs[0].uuid
      parts = Object.values(
        body.associatedFiles as Record<string, { mirrors: string[]; multiparts: string[] }>,
      ).flatMap(({ mirrors, multiparts }) =>
        multiparts.map((part) => new URL(`${mirrors[0]}${part[0]}/${part.slice(0, 2)}/${part}`).pathname),
      )
    }
  }
  const computer = await computerOf(machineid)
  return { computer, deployment: await state.deployment(computer, wanted) }
}

test('a recorded conversation of a GLPI agent installs the package', async () => {
  const { token: secret } = await enrolmentToken({ maxUses: 1 })
  const recorded = conversation('glpi-conversation.jsonl')
  // An agent that Muster does not know yet would not be asked to continue in JSON.
  await post(samples.glpiXml, { headers: recorded[0]?.headers ?? {}, secret })
  const { computer, deployment } = await replay(recorded, secret, {
    prolog: samples.prolog.replace('vm-2026-11-14-23-59-28', 'vm-2026-11-15-00-01-09'),
    contact: samples.contact,
    inventory: samples.full,
  })

  expect(deployment).toMatchObject({ result: 'Success', installation_state: 'Installed', error_text: null })
  expect((await state.events(computer)).map(({ result }) => result)).toEqual(['Running', 'Success'])
  const { body } = await as('computer.read').call(getUemAgent, { params: computer })
  expect(body.inventory).toMatchObject({ agentKind: 'GLPI', agentVersion: '1.12-dev' })
})

test('a recorded failure of a FusionInventory agent is stored with its exit code and its output', async () => {
  const other = (report: string) =>
    report.replaceAll('02:fc:00:00:00:01', '06:fc:00:00:00:02').replaceAll('<NAME>vm<', '<NAME>vm2<')
  const recorded = conversation('fi-failure-conversation.jsonl')
  const [, machineid = ''] = /machineid=([\w-]+)/.exec(JSON.stringify(recorded)) ?? []
  const { token: secret } = await enrolmentToken({ maxUses: 1 })
  const { computer, deployment } = await replay(recorded, secret, {
    prolog: samples.prolog.replace('vm-2026-11-14-23-59-28', machineid),
    inventory: other(samples.fusionInventory).replace('vm-2026-11-14-23-59-28', machineid),
  })

  expect(deployment).toMatchObject({ result: 'Failed', error_text: 'The command ended with the code 194.' })
  const errors = await as('computer.read').call(listSetupErrorLog, { params: computer })
  expect(errors.body.items[0]?.output).toContain('INSTALL_OK')
})

test('a full inventory that could not be stored leaves nothing behind and is asked for again', async () => {
  const headers = { 'user-agent': 'GLPI-Agent_v1.12-dev', 'glpi-agent-id': 'a994f3a4-e087-11f1-91be-a7280202bb80' }
  const send = (report: string) => post(fromComputer(report, 'broken'), { headers })
  await send(samples.contact)
  await sql`create function refuse() returns trigger language plpgsql as $$ begin raise 'no'; end $$`.execute(db)
  await sql`create trigger refuse before insert on inventory_sections execute function refuse()`.execute(db)

  const failed = await send(samples.full)
  await sql`drop trigger refuse on inventory_sections`.execute(db)
  const stored = await as('computer.read').call(listInstalledSoftware, {
    params: await computerOf(deviceIdOf('broken')),
  })
  // The agent assumes that it arrived, and would send only changes from now on.
  const contact = await send(samples.contact)
  const prolog = await send(samples.prolog)
  const full = await send(samples.glpiXml)

  expect(failed.status).toBe(500)
  expect(stored.body.items).toEqual([])
  expect([contact.status, prolog.status, full.status]).toEqual([400, 200, 200])
  const { body } = await as('computer.read').call(listInstalledSoftware, {
    params: await computerOf(deviceIdOf('broken')),
  })
  expect(body.totalCount).toBe(803)
})
