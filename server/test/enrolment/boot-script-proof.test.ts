import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { issueBootToken } from '../../src/channels/pxe/boot-token.ts'
import { ensureBootGrant } from '../../src/features/os-deployment/boot-grants.ts'
import { enrolment } from '../channels/agent/agent-world.ts'
import { insertInstallation } from '../os-deployment/pending-installation.ts'
import { openClaimWorld } from './claim-world.ts'

const { agentWith, app, auditedEnrolments, claim, db, enrol, enrolmentToken, given } = await openClaimWorld()

/** The token of the boot script that the address got for the computer. */
async function bootToken({ id }: { id: number }, address = '127.0.0.1'): Promise<string> {
  const activation = await db.selectFrom('activations').where('computer_id', '=', id).limit(1).executeTakeFirst()
  if (!activation) await insertInstallation({ db, given }, { id })
  const grant = await ensureBootGrant(db, id, address)
  return issueBootToken(app.services.keys, { clientId: id, grantId: grant?.id ?? '', imageId: 1, skuId: null })
}

test('an agent that an installer enrols with the token of its boot script needs no confirmation', async () => {
  const [computer, other] = [await given.computer(), await given.computer()]
  const asked = await claim(computer)

  const forged = await enrol({ ...asked, installation: `${await bootToken(computer)}x` })
  const ofOther = await enrol({ ...(await claim(computer)), installation: await bootToken(other) })
  const own = await enrol({ ...asked, installation: await bootToken(computer) })

  expect(forged).toMatchObject({ status: 401, problem: 'BootTokenInvalid' })
  expect(ofOther.body).toMatchObject({ clientId: computer.id, quarantined: true })
  expect(own.body).toMatchObject({ clientId: computer.id, quarantined: false })
})

test('a boot token proves nothing for a computer whose UUID is known, because its agent can show it', async () => {
  const computer = await given.computer({ uuid: randomUUID() })
  const asked = await claim(computer)
  const installation = await bootToken(computer)

  const withOther = await enrol({ ...asked, installation })
  const without = await enrol({ ...asked, computer: { ...asked.computer, uuid: null }, installation })

  expect([withOther.body, without.body]).toMatchObject([{ quarantined: true }, { quarantined: true }])
})

test('with MUSTER_BOOT_CONFIRMATION=always, the token of a boot script is no proof, and the UUID still is', async () => {
  const uuid = randomUUID()
  const [computer, known] = [await given.computer(), await given.computer({ uuid })]
  app.services.configuration.bootConfirmation = 'always'
  try {
    const byScript = await enrol({ ...(await claim(computer)), installation: await bootToken(computer) })
    const asked = await claim(known)
    const byUuid = await enrol({
      ...asked,
      computer: { ...asked.computer, uuid },
      installation: await bootToken(known),
    })
    const forged = await enrol({ ...(await claim(computer)), installation: `${await bootToken(computer)}x` })

    expect(byScript.body).toMatchObject({ clientId: computer.id, quarantined: true })
    expect(byUuid.body).toMatchObject({ clientId: known.id, quarantined: false })
    expect(forged).toMatchObject({ status: 401, problem: 'BootTokenInvalid' })
  } finally {
    app.services.configuration.bootConfirmation = 'agents'
  }
})

test('the trail shows what proved on which computer an agent runs', async () => {
  const [uuid, { token }] = [randomUUID(), await enrolmentToken()]
  const [booted, known, unproven] = [await given.computer(), await given.computer({ uuid }), await given.computer()]
  const [own, asked, fresh] = [await claim(booted), await claim(known), { ...enrolment(), token }]

  await enrol({ ...own, installation: await bootToken(booted) })
  await enrol(own)
  await enrol({ ...asked, computer: { ...asked.computer, uuid } })
  await enrol(await claim(unproven))
  await enrol(fresh)

  const proofs = async (computer: { name: string }) =>
    (await auditedEnrolments(computer)).map(({ request }) => {
      const { event, provenBy } = (request as { body: { event: string; provenBy: string | null } }).body
      return [event, provenBy]
    })
  expect(await proofs(booted)).toEqual([
    ['Renewed', 'EnrolmentKey'],
    ['Joined', 'BootScript'],
  ])
  expect(await proofs(known)).toEqual([['Joined', 'Uuid']])
  expect(await proofs(unproven)).toEqual([['Quarantined', null]])
  expect(await proofs(fresh.computer)).toEqual([['Created', null]])
})

test('a boot token proves nothing when two addresses have one, or when another address sends it', async () => {
  const [contested, elsewhere] = [await given.computer(), await given.computer()]
  const own = await bootToken(contested)
  await bootToken(contested, '192.0.2.66')

  const disputed = await enrol({ ...(await claim(contested)), installation: own })
  const stolen = await enrol({ ...(await claim(elsewhere)), installation: await bootToken(elsewhere, '192.0.2.66') })

  expect(disputed.body).toMatchObject({ clientId: contested.id, quarantined: true })
  expect(stolen.body).toMatchObject({ clientId: elsewhere.id, quarantined: true })
})

test('a boot token does not let an agent take over a computer that has one', async () => {
  const { token } = await enrolmentToken()
  const asked = { ...enrolment(), token }
  const first = agentWith((await enrol(asked)).body)
  const installation = await bootToken(first)

  const refused = await enrol({ ...asked, enrolmentKey: enrolment().enrolmentKey, installation })

  expect(refused).toMatchObject({ status: 409, problem: 'AlreadyEnrolled' })
  expect((await first.contact()).status).toBe(200)
})
