import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { buildApp } from '../../../src/app.ts'
import { getWorkFile } from '../../../src/channels/agent/get-work-file.ts'
import { purgeHandOutTurns } from '../../../src/channels/agent/hand-out-turns.ts'
import { reportContact } from '../../../src/channels/agent/report-contact.ts'
import { addressOf, caller } from '../../world/caller.ts'
import { contact, openAgentWorld, sha256Of } from './agent-world.ts'

// A process counts as saturated from sixteen hand-outs at once, and downloads from two of a network and three in total.
const configuration = {
  handOutLatencyMs: 1,
  agentDownloads: { max: 3, maxPerNetwork: 2 },
  trustedProxies: ['127.0.0.1'],
}
const world = await openAgentWorld(configuration)
const { agent, app, database, db, readyPackage, work } = world

/** Keeps a process as busy as it should ever be with hand-outs. Returns how to end them. */
function saturate({ services }: Pick<typeof app, 'services'>) {
  const handOut = Promise.withResolvers<void>()
  const handOuts = Array.from({ length: 16 }, () =>
    services.handOutTurns.run(
      async (offered) => offered,
      () => handOut.promise,
    ),
  )
  onTestFinished(() => handOut.resolve())
  return async () => {
    handOut.resolve()
    await Promise.all(handOuts)
  }
}

async function agentWithWork() {
  const one = await agent()
  return { ...one, workId: await work(one, await readyPackage()) }
}

const turnOf = ({ id }: { id: number }) =>
  db.selectFrom('hand_out_turns').select('turn_at').where('computer_id', '=', id).executeTakeFirst()

test('an agent that comes while the service is saturated gets the time of its turn, and then its work', async () => {
  const [first, second, idle] = [await agentWithWork(), await agentWithWork(), await agent()]
  const end = saturate(app)

  const sentAway = [(await first.contact()).body, (await second.contact()).body]
  const withoutWork = (await idle.contact()).body
  await end()
  const served = (await first.contact()).body

  for (const { work: handed, nextContactSeconds } of sentAway) {
    expect(handed).toEqual([])
    expect(nextContactSeconds).toBeGreaterThanOrEqual(1)
    expect(nextContactSeconds).toBeLessThan(10)
  }
  expect(withoutWork.nextContactSeconds).toBeGreaterThan(60)
  expect(await turnOf(idle)).toBeUndefined()
  expect(served.work.map(({ workId }) => workId)).toEqual([first.workId])
})

test('results and starts do not wait for turns', async () => {
  const one = await agentWithWork()
  await one.contact()
  saturate(app)

  const started = await one.start(one.workId)
  const reported = await one.report(one.workId)

  expect([started.status, reported.status]).toEqual([200, 200])
})

test('a turn is valid on every node, and an agent that missed it for minutes gets another one', async () => {
  const one = await agentWithWork()
  const node = await buildApp({ database, configuration: app.services.configuration })
  onTestFinished(() => node.http.close())
  for (const busy of [app, node]) saturate(busy)
  const contactThere = () =>
    caller(node, one.credential).call(reportContact, { body: { ...contact(), runId: one.runId } })

  await one.contact()
  const given = await turnOf(one)
  const early = (await contactThere()).body
  const kept = await turnOf(one)
  await sql`update hand_out_turns set turn_at = now() where computer_id = ${one.id}`.execute(db)
  const inTurn = (await contactThere()).body
  await sql`update hand_out_turns set turn_at = now() - interval '6 minutes'`.execute(db)
  const late = await agentWithWork()
  await sql`insert into hand_out_turns values (${late.id}, now() - interval '6 minutes')`.execute(db)
  const missed = (await late.contact()).body

  expect(early.work).toEqual([])
  expect(kept).toEqual(given)
  expect(inTurn.work.map(({ workId }) => workId)).toEqual([one.workId])
  expect(missed.work).toEqual([])
  expect((await turnOf(late))?.turn_at.getTime()).toBeGreaterThan(Date.now())
  await sql`update hand_out_turns set turn_at = now() - interval '2 hours' where computer_id = ${one.id}`.execute(db)
  expect(await purgeHandOutTurns(db)).toBe(1)
})

test('downloads of one network leave room for those of others, and end with their connection', async () => {
  const content = 'x'.repeat(8_000_000)
  const one = await agent()
  const workId = await work(one, await readyPackage({ files: { 'large.bin': content } }))
  await one.contact()
  await app.http.listen({ host: '127.0.0.1', port: 0 })
  const address = new URL(addressOf(getWorkFile, { workId, sha256: sha256Of(content) }), app.http.listeningOrigin)
  /** Begins a download without reading it so that it stays in progress. */
  const begin = async (from: string) => {
    const headers = { authorization: `Bearer ${one.credential}`, 'x-forwarded-for': from }
    const request = get(address, { headers, agent: false })
    request.on('error', () => {})
    const [answer] = (await once(request, 'response')) as [IncomingMessage]
    return { status: answer.statusCode, end: () => request.destroy() }
  }

  const large = [await begin('10.1.1.1'), await begin('10.1.1.2')]
  const waiting = begin('10.1.1.3')
  const other = await begin('10.1.2.1')
  const before = app.services.downloads.agents.state()
  large[0]?.end()
  const third = await waiting
  const after = app.services.downloads.agents.state()
  for (const { end } of [...large, other, third]) end()

  expect([...large, other, third].map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect([before, after]).toEqual([
    { running: 3, waiting: 1 },
    { running: 3, waiting: 0 },
  ])
})
