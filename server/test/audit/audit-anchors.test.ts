import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { openNoAnswerServer } from '../../../tools/no-answers.ts'
import { openAnchorKey, parseAnchorPublicKey } from '../../src/features/audit/anchors/anchor-key.ts'
import { verifyAnchors } from '../../src/features/audit/anchors/verify-anchors.ts'
import { anchorAuditTrail } from '../../src/features/audit/jobs/anchor-audit-trail.ts'
import { verifyAuditTrail } from '../../src/features/audit/verify-audit-trail.ts'
import { createLocalPrincipal } from '../../src/features/principals/api/create-local-principal.ts'
import { openServerKeys } from '../../src/platform/authentication/server-keys.ts'
import { databaseEnvironment, start, waitForSuccess } from '../database/backup/commands.ts'
import { temporaryFolder } from '../database/embedded-postgres/muster.ts'
import { openWorld } from '../world/open-world.ts'

const { as, database, db } = await openWorld()
const environment = databaseEnvironment(database)
const running = new AbortController().signal

const change = () =>
  as('admin.manage').call(createLocalPrincipal, {
    body: { description: null, roles: ['pm.read'], expiresAtUtc: null },
  })

/** What one node does each minute. */
const runNode = (settings: { anchorFile?: string; anchorUrl?: string }) =>
  anchorAuditTrail(db, { anchorFile: undefined, anchorUrl: undefined, keyFile: undefined, ...settings }, running)

/** Makes the last anchor an hour old. */
const waitAnHour = () => sql`update audit_anchors set taken_at = taken_at - interval '61 minutes'`.execute(db)

const newFile = async () => join(await temporaryFolder(), 'anchors')
const linesOf = async (file: string) => (await readFile(file, 'utf8')).trimEnd().split('\n')
const verifyWithCommand = (file: string, ...args: string[]) =>
  start('cli/verify-audit', ['--anchors', file, ...args], environment).ended

/** The faults that a verifier finds, with the key of the database unless another one is given. */
async function findFaults(file: string, publicKey?: string): Promise<string[]> {
  const known = publicKey ?? openAnchorKey((await openServerKeys(db)).anchorSeed()).publicKey
  const key = parseAnchorPublicKey(known)
  if (!key) throw new Error('This is not a public key.')
  return (await verifyAnchors(db, await linesOf(file), key)).faults
}

beforeEach(async () => {
  await sql`delete from audit_anchors`.execute(db)
})

test('an anchor is taken once per hour by one of several nodes, and the file of each node contains all of them', async () => {
  const files = [await newFile(), await newFile()]
  await change()

  await Promise.all(files.map((anchorFile) => runNode({ anchorFile })))
  for (const anchorFile of files) await runNode({ anchorFile })
  const first = await Promise.all(files.map(linesOf))
  await sql`update audit_anchors set taken_at = taken_at - interval '61 minutes'`.execute(db)
  // The document of an anchor has the time at which it was taken, so the file must not get it again.
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from audit_anchors`.execute(db)

  expect(first.map((lines) => lines.length)).toEqual([1, 1])
  expect(first[0]).toEqual(first[1])
  expect(rows).toEqual([{ count: 1 }])
  for (const anchorFile of files) await runNode({ anchorFile })
  const second = await Promise.all(files.map(linesOf))
  expect(second.map((lines) => lines.length)).toEqual([2, 2])
  expect(await findFaults(files[1] ?? '')).toEqual([])
})

test('without a file and a webhook, no anchors are taken', async () => {
  await runNode({})

  expect((await sql`select from audit_anchors`.execute(db)).rows).toHaveLength(0)
})

test('an incomplete line that a crash left in the anchor file is written again', async () => {
  const anchorFile = await newFile()
  await runNode({ anchorFile })
  const [line = ''] = await linesOf(anchorFile)
  await writeFile(anchorFile, line.slice(0, 50))

  await runNode({ anchorFile })

  expect(await readFile(anchorFile, 'utf8')).toBe(`${line}\n`)
})

test('anchors are posted to the webhook in their order, each once, and again after a failure', async () => {
  const received: string[] = []
  let status = 503
  const receiver = createServer(async (request, response) => {
    const body = await request.toArray()
    if (status === 200) received.push(Buffer.concat(body).toString())
    response.writeHead(status).end()
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  onTestFinished(() => void receiver.close())
  const anchorUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/anchors`

  const silent = await openNoAnswerServer('a change to another protocol')
  onTestFinished(silent.close)

  await expect(runNode({ anchorUrl: silent.address })).rejects.toThrow('fetch failed')
  await expect(runNode({ anchorUrl })).rejects.toThrow('answered with 503')
  await waitAnHour()
  await expect(runNode({ anchorUrl })).rejects.toThrow('answered with 503')
  status = 200
  await Promise.all([runNode({ anchorUrl }), runNode({ anchorUrl }), runNode({ anchorUrl })])
  await runNode({ anchorUrl })

  const { rows } = await sql<{ document: string }>`select document from audit_anchors order by taken_at`.execute(db)
  expect(rows).toHaveLength(2)
  expect(received).toEqual(rows.map(({ document }) => document))
})

describe('somebody with full control of the database', () => {
  /** Rewrites the trail in a transaction that the test keeps, as a superuser can. */
  const tamper = (...statements: string[]) =>
    db.transaction().execute(async (tx) => {
      await sql`alter table audit_entries disable trigger all`.execute(tx)
      for (const statement of statements) await sql.raw(statement).execute(tx)
      await sql`alter table audit_entries enable trigger all`.execute(tx)
    })

  /** Computes all hashes of chain 0 again so that the chain is valid in itself. */
  const rehash = `do $$
    declare entry audit_entries; last bytea := '\\x';
    begin
      for entry in select * from audit_entries where chain = 0 order by position loop
        entry.previous_hash := last;
        last := audit_entry_hash(entry);
        update audit_entries set previous_hash = entry.previous_hash, hash = last where id = entry.id;
        update audit_chains set position = entry.position, hash = last where chain = 0;
      end loop;
    end $$`
  const cutOff = (entries: number) => `
    delete from audit_entries where chain = 0 and position > (select max(position) from audit_entries where chain = 0) - ${entries};
    update audit_chains set (position, hash) = (select position, hash from audit_entries where chain = 0
      order by position desc limit 1) where chain = 0`

  test.each([
    [
      'rewrote an entry and all hashes',
      [`update audit_entries set principal_name = 'somebody else' where chain = 0 and position = 1`, rehash],
      'the trail was rewritten',
    ],
    ['cut off the newest entries', [cutOff(2)], 'entries were deleted'],
    [
      'deleted a whole chain',
      ['delete from audit_entries where chain = 0', 'delete from audit_chains where chain = 0'],
      'entries were deleted',
    ],
  ])('is found out by the anchors after they %s', async (_, statements, reason) => {
    const anchorFile = await newFile()
    for (let entry = 0; entry < 3; entry++) await change()
    await runNode({ anchorFile })
    const honest = await findFaults(anchorFile)

    await tamper(...statements)

    // The chains alone do not show it.
    expect((await verifyAuditTrail(db)).faults).toEqual([])
    expect(honest).toEqual([])
    expect((await findFaults(anchorFile)).join()).toContain(reason)
    await tamper(`insert into audit_chains (chain) values (0) on conflict do nothing`)
  })

  test('cannot forge anchors for a verifier who has the public key, nor remove or change some', async () => {
    const anchorFile = await newFile()
    const publicKey = openAnchorKey((await openServerKeys(db)).anchorSeed()).publicKey
    for (let anchor = 0; anchor < 3; anchor++) {
      await change()
      await runNode({ anchorFile })
      await waitAnHour()
    }
    const lines = await linesOf(anchorFile)
    const write = (content: readonly (string | undefined)[]) => writeFile(anchorFile, `${content.join('\n')}\n`)
    expect(await findFaults(anchorFile, publicKey)).toEqual([])

    await write([lines[0], lines[2]])
    expect((await findFaults(anchorFile)).join()).toContain('does not follow the one before it')
    await write([lines[0], lines[1]?.replace('"position":', '"position":1')])
    expect((await findFaults(anchorFile)).join()).toContain('has no valid signature')
    // The attacker replaces the key in the database and takes the anchors again.
    await sql`update server_keys set key = sha256('attacker') where purpose = 'audit-anchors'`.execute(db)
    await sql`delete from audit_anchors`.execute(db)
    const forgedFile = await newFile()
    await runNode({ anchorFile: forgedFile })
    expect(await findFaults(forgedFile)).toEqual([])
    expect((await findFaults(forgedFile, publicKey)).join()).toContain('has no valid signature of this key')
  })
})

test('the commands print the public key, verify with it, and report a fault by exit code 2', async () => {
  const anchorFile = await newFile()
  await runNode({ anchorFile })

  const printed = await waitForSuccess(start('cli/keys', ['anchor-key'], environment))
  const publicKey = /^[\w+/]{43}=$/m.exec(printed)?.[0] ?? ''
  const [intact, foreign] = await Promise.all([
    verifyWithCommand(anchorFile, '--key', publicKey),
    verifyWithCommand(anchorFile, '--key', Buffer.alloc(32, 1).toString('base64')),
  ])

  expect(intact).toMatchObject({ code: 0, output: expect.stringContaining('all 1 anchors') })
  expect(foreign).toMatchObject({ code: 2, output: expect.stringContaining('has no valid signature of this key') })
})
