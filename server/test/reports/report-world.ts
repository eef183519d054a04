import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect } from 'vitest'
import { setMailServer } from '../../src/features/mail/api/set-mail-server.ts'
import { getReportFile } from '../../src/features/reports/api/get-report-file.ts'
import { listReportRuns } from '../../src/features/reports/api/list-report-runs.ts'
import { makeDueReports } from '../../src/features/reports/make-due-reports.ts'
import { parseDownloadHost } from '../../src/platform/downloads/download-hosts.ts'
import { openMailReceiver } from '../mail/mail-receiver.ts'
import { openWorld } from '../world/open-world.ts'

type Posted = { headers: IncomingHttpHeaders; event: { type: string; data: Record<string, unknown> } }

/** A receiver of webhooks that answers with a status. */
async function openHook() {
  const posted: Posted[] = []
  const answers = { status: 204 }
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += part
    posted.push({ headers: request.headers, event: JSON.parse(body) })
    response.writeHead(answers.status).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => server.close())
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { posted, answers, host, url: `http://${host}/hook` }
}

/** The service with a mail server, a receiver of webhooks, and two computers, one of them in a group. */
export async function openReportWorld() {
  const hook = await openHook()
  const world = await openWorld({ configuration: { webhookPrivateHosts: [parseDownloadHost('', hook.host, true)] } })
  const { app, as, db, given, withToken } = world
  const receiver = await openMailReceiver()
  const admin = as('admin.manage', 'computer.read', 'package.write')
  const reader = as('computer.read')
  const parts = { db, keys: app.services.keys, settings: app.services.configuration }

  async function install(computer: { id: number }, name: string, version: string | null = null) {
    await sql`
      with product as (
        insert into software_products (name, version) values (${name}, ${version})
        on conflict (name, version, publisher) do update set name = excluded.name returning id
      )
      insert into installed_software (computer_id, product_id) select ${computer.id}, id from product`.execute(db)
  }

  const group = await given.group({ tree: 'AssignmentGroups', name: 'Reported' })
  const below = await given.group({ parent: group, name: 'Below' })
  const inside = await given.computer({ name: '=cmd|calc' })
  const outside = await given.computer({ name: 'outside' })
  await given.member(below, inside)
  await install(inside, 'Draw 1', '1.0')
  await install(outside, 'Draw 1', '1.0')
  await install(outside, 'Draw 2', '2.0')
  await sql`
    insert into disk_drives (computer_id, position, volume, drive_type_code, total_space_gb, free_space_gb, bitlocker_status)
    values (${inside.id}, 0, 'C:', 3, 100, 1, 'Encrypted'), (${outside.id}, 0, 'C:', 3, 100, 2, 'Encrypted')`.execute(
    db,
  )

  beforeEach(async () => {
    await sql`delete from reports`.execute(db)
    hook.posted.length = 0
    hook.answers.status = 204
    receiver.received.length = 0
    await admin.call(setMailServer, { body: receiver.settings })
  })

  let number = 0
  return {
    ...world,
    admin,
    below,
    group,
    hook,
    inside,
    install,
    reader,
    receiver,
    /** What one node does every ten seconds. */
    makeReports: (signal = new AbortController().signal) => makeDueReports(parts, signal),
    nameOfReport: () => `report ${number++}`,

    async ownerWith(...roles: ('computer.read' | 'pm.read')[]) {
      const { id } = await given.localPrincipal({ roles })
      return { id, ...withToken(await app.services.tokens.issue(id)) }
    },

    lastRun: async (id: string, caller = reader) =>
      (await caller.call(listReportRuns, { params: { id } })).body.items[0],

    async contentOf(id: string, runId: string | undefined, caller = reader): Promise<string> {
      const answer = await caller.call(getReportFile, { params: { id, runId: runId ?? '' } })
      expect(answer.status).toBe(200)
      return String(answer.raw)
    },
  }
}
