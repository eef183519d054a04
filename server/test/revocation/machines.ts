import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { vi } from 'vitest'
import { issueBootToken } from '../../src/channels/pxe/boot-token.ts'
import { createDepotCredential } from '../../src/features/depots/api/create-depot-credential.ts'
import { deleteDepotCredential } from '../../src/features/depots/api/delete-depot-credential.ts'
import { revokeAgentCredential } from '../../src/features/enrolment/api/revoke-agent-credential.ts'
import { ensureBootGrant } from '../../src/features/os-deployment/boot-grants.ts'
import { accessCheckSeconds } from '../../src/platform/http/send-file.ts'
import { sha256Of } from '../channels/agent/agent-world.ts'
import { until } from '../database/embedded-postgres/muster.ts'
import { insertInstallation } from '../os-deployment/pending-installation.ts'
import type { Change } from './promises.ts'
import { type Opened, type RevocationWorld, readToEnd } from './revocation-world.ts'

/** More than the buffers of the connection take. */
const content = 'x'.repeat(16 * 1_048_576)
const sha256 = sha256Of(content)

type Changes = Partial<Record<Change | 'deleted', () => Promise<unknown>>>

const changeWith = (changes: Changes) => (change: Change | 'deleted') => {
  const make = changes[change]
  return make ? make() : Promise.reject(new Error(`There is no change ${change}.`))
}

/** Credentials of machines, each with a download that has begun. */
export function machines(world: RevocationWorld) {
  const { administrator, agent, agentWith, connect, db, given, readyPackage } = world

  let stored: Promise<{ id: string }> | undefined
  const storedPackage = () => {
    stored ??= readyPackage({ files: { 'setup.bin': content } })
    return stored
  }

  /** Begins a download and stops reading. Returns whether the rest comes, and whether another download may begin. */
  async function openDownload(path: string, headers: Record<string, string> = {}): Promise<Opened['continues']> {
    const { sent, response } = connect({ path, headers })
    sent.end()
    const answer = await response()
    if (answer.statusCode !== 200) throw new Error(`The download was answered with ${answer.statusCode}.`)
    const isClosed = new Promise((resolve) => answer.once('close', resolve))
    return async () => {
      vi.advanceTimersByTime(accessCheckSeconds * 1_000)
      // A closed connection shows only when it is read. Without the check, all of it would come.
      await sleep(1_000)
      const rest = readToEnd(answer)
      await Promise.race([isClosed, rest])
      const again = connect({ path, headers: { ...headers, range: 'bytes=0-0' } })
      again.sent.end()
      const { statusCode } = await again.response()
      const outcomes = [(await rest) === content.length, statusCode === 206]
      if (outcomes[0] !== outcomes[1]) throw new Error(`The download and the next request differ: ${outcomes}.`)
      return outcomes.every(Boolean)
    }
  }

  const bearer = (credential: string) => ({ authorization: `Bearer ${credential}` })

  /** What ends the credential of an agent. */
  function agentChanges(computer: Awaited<ReturnType<typeof agent>>): Opened['change'] {
    const { id } = computer
    const revoke = () => administrator.call(revokeAgentCredential, { params: { id } })
    const rotate = async () => {
      await sql`update agents set secret_issued_at = now() - interval '31 days' where computer_id = ${id}`.execute(db)
      const { credential } = (await computer.contact({ canRotateCredential: true })).body
      await agentWith({ clientId: id, credential: credential ?? '' }).contact()
    }
    return changeWith({ revoked: revoke, deleted: revoke, secretReplaced: rotate })
  }

  /** Returns whether the connection is still open when a call would have arrived. */
  async function openWakeConnection(): Promise<Opened> {
    const computer = await agent()
    await computer.contact()
    const { sent, response } = connect({ path: '/agent/v1/wake', headers: bearer(computer.credential) })
    sent.end()
    const stream = await response()
    let received = ''
    stream.setEncoding('latin1').on('data', (chunk: string) => {
      received += chunk
    })
    const isRecorded = () =>
      db.selectFrom('connected_computers').selectAll().where('computer_id', '=', computer.id).executeTakeFirst()
    await until(isRecorded)
    return {
      change: agentChanges(computer),
      async continues() {
        await world.work(computer, await readyPackage())
        await until(() => (received.includes('contact') || stream.closed ? true : undefined))
        return !stream.closed
      },
    }
  }

  async function openAgentDownload(): Promise<Opened> {
    const computer = await agent()
    const workId = await world.work(computer, await storedPackage())
    await computer.contact()
    await computer.start(workId)
    return {
      change: agentChanges(computer),
      continues: await openDownload(`/agent/v1/work/${workId}/files/${sha256}`, bearer(computer.credential)),
    }
  }

  async function openDepotSync(): Promise<Opened> {
    const { id: clientId } = await given.computer({ role: 'DepotServer' })
    const { credential } = (await administrator.call(createDepotCredential, { params: { clientId } })).body
    const { id: packageId } = await storedPackage()
    const revoke = () => administrator.call(deleteDepotCredential, { params: { clientId } })
    return {
      change: changeWith({
        revoked: revoke,
        deleted: revoke,
        roleLost: () => db.updateTable('computers').set({ role: 'Client' }).where('id', '=', clientId).execute(),
        secretReplaced: () => administrator.call(createDepotCredential, { params: { clientId } }),
      }),
      continues: await openDownload(`/depot/v1/packages/${packageId}/files/${sha256}`, bearer(credential)),
    }
  }

  let bootImage: Promise<number> | undefined
  async function storeBootImage(): Promise<number> {
    const image = await given.pxeBootImage()
    const { id: packageId } = await storedPackage()
    await sql`update pxe_boot_images set package_id = ${packageId} where id = ${image.id}`.execute(db)
    return image.id
  }

  async function openBootGrant(upcoming: Change | 'deleted' | 'nothing'): Promise<Opened> {
    const computer = await given.computer({ mac: randomBytes(6).toString('hex') })
    const group = await given.group()
    await given.member(group, computer)
    await insertInstallation(world, computer, group)
    const grant = await ensureBootGrant(db, computer.id, '127.0.0.1')
    bootImage ??= storeBootImage()
    const lifetimeMs = upcoming === 'expired' ? 3_000 : 3_600_000
    const expires = new Date(Date.now() + lifetimeMs)
    const token = await issueBootToken(
      world.app.services.keys,
      { clientId: computer.id, grantId: grant?.id ?? '', imageId: await bootImage, skuId: null },
      expires,
    )
    const end = () => db.deleteFrom('activations').where('computer_id', '=', computer.id).execute()
    return {
      change: changeWith({
        revoked: end,
        deleted: end,
        expired: () => sleep(lifetimeMs + 1_000),
      }),
      continues: await openDownload(`/boot/files/${token}/boot/setup.bin`),
    }
  }

  return {
    agentDownload: openAgentDownload,
    wakeConnection: openWakeConnection,
    depotSync: openDepotSync,
    bootGrant: openBootGrant,
  }
}
