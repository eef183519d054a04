import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { enrolAgent } from '../../src/channels/agent/enrol-agent.ts'
import { putInventory } from '../../src/channels/agent/inventory/put-inventory.ts'
import { putPatchScan } from '../../src/channels/agent/patches/put-patch-scan.ts'
import { reportOsInstallation } from '../../src/channels/agent/report-os-installation.ts'
import { lockOrder } from '../../src/database/lock-order.ts'
import { removeGroupPackage } from '../../src/features/assignments/api/groups/remove-group-package.ts'
import { deleteComputer } from '../../src/features/computers/api/delete-computer.ts'
import { updateComputer } from '../../src/features/computers/api/update-computer.ts'
import { activateComputer } from '../../src/features/deployments/api/activation/activate-computer.ts'
import { deactivateComputer } from '../../src/features/deployments/api/activation/deactivate-computer.ts'
import { uninstallSoftware } from '../../src/features/deployments/api/activation/uninstall-software.ts'
import { activateGroup } from '../../src/features/deployments/api/group-activation/activate-group.ts'
import { deactivateGroup } from '../../src/features/deployments/api/group-activation/deactivate-group.ts'
import { cancelSoftwareReinstall } from '../../src/features/deployments/api/requests/cancel-software-reinstall.ts'
import { rebootComputer } from '../../src/features/deployments/api/requests/reboot-computer.ts'
import { requestSoftwareReinstall } from '../../src/features/deployments/api/requests/request-software-reinstall.ts'
import { setDistributionOptions } from '../../src/features/distribution/api/set-distribution-options.ts'
import { allowComputerReEnrolment } from '../../src/features/enrolment/api/allow-computer-re-enrolment.ts'
import { confirmQuarantinedAgent } from '../../src/features/enrolment/api/confirm-quarantined-agent.ts'
import { listQuarantinedAgents } from '../../src/features/enrolment/api/list-quarantined-agents.ts'
import { revokeAgentCredential } from '../../src/features/enrolment/api/revoke-agent-credential.ts'
import { moveGroup } from '../../src/features/group-moves/api/move-group.ts'
import { addGroupComputers } from '../../src/features/groups/api/add-group-computers.ts'
import { deleteGroup } from '../../src/features/groups/api/delete-group.ts'
import { removeGroupComputers } from '../../src/features/groups/api/remove-group-computers.ts'
import { contactResult, enrolment } from '../channels/agent/agent-world.ts'
import { findInversions, recordLocks } from '../world/record-locks.ts'
import { activation, openLockWorld } from './lock-world.ts'

const { activated, agentWith, as, db, enrolmentToken, first, given, leased, readyPackage, reinstalled, withToken } =
  await openLockWorld()

const operator = as('activation.execute', 'reinstall.execute', 'reboot.execute', 'computer.write', 'group.write')
const administrator = as('admin.manage')

type Answer = { status: number }

/** What is recorded: each returns the request that changes something, after it has prepared the world for it. */
const changes: Record<string, () => Promise<() => Promise<Answer>>> = {
  'a contact with news that leases work': async () => {
    const one = first(await activated())
    return () => one.contact({ rebootRequired: true, ipAddress: '10.0.0.9' })
  },
  'a contact that takes an offer and brings what it requires': async () => {
    const { group, agents } = await activated()
    const [one, required] = [agents[0] ?? expect.fail('The fleet has no agent.'), await readyPackage()]
    const offer = await readyPackage({ requires: [required.name] })
    await given.assignment(group, offer, 'package')
    const params = { id: group.id }
    await operator.call(setDistributionOptions, {
      params,
      query: { packageId: offer.id },
      body: { commands: ['Install', 'Optional'] },
    })
    await operator.call(activateGroup, { params, body: { software: true } })
    return () => one.contact({ wants: [offer.id] })
  },
  'a start': async () => {
    const { one, item } = await leased()
    return () => one.start(item.workId)
  },
  'a result': async () => {
    const { one, item } = await leased()
    return () => one.report(item.workId, { rebootRequired: true })
  },
  'a contact that reports results and progress': async () => {
    const { one, item } = await leased()
    const again = (await one.contact({ emptyHanded: true })).body.work
    const other = again.find(({ workId }) => workId !== item.workId)
    const results = [contactResult(item.workId, { attempt: 2, rebootRequired: true })]
    return () => one.exchange({ results, inProgress: [{ workId: other?.workId ?? 0, attempt: 2, percent: 50 }] })
  },
  'a failure that fails other work': async () => {
    const { one, item } = await leased()
    await sql`update work set failures = 2 where id = ${item.workId}`.execute(db)
    return () => one.report(item.workId, { status: 'Failed' })
  },
  'a contact that abandons work': async () => {
    const { one, item } = await leased()
    await sql`
      update work set attempt = 20, leased_until = now() - interval '1 second' where id = ${item.workId}`.execute(db)
    return () => one.contact()
  },
  'the result of a reinstall': async () => {
    const { one, reinstallGroupId } = await reinstalled()
    await one.contact()
    const { id } = await db
      .selectFrom('work')
      .select('id')
      .where('reinstall_group_id', '=', reinstallGroupId)
      .executeTakeFirstOrThrow()
    return () => one.report(id)
  },
  'an inventory': async () => {
    const one = first(await activated())
    const section = { hash: 'a'.repeat(64), collectedUtc: '2026-03-14T09:26:53.000Z' }
    const items = [{ productName: 'Editor', version: '1', publisher: null }]
    const put = (hash: string) =>
      one.itself.call(putInventory, { body: { sections: { installedSoftware: { ...section, hash, items } } } })
    await put('a'.repeat(64))
    return () => put('b'.repeat(64))
  },
  'a patch scan': async () => {
    const one = first(await activated())
    const scan = (status: 'Missing' | 'Installed') =>
      one.itself.call(putPatchScan, {
        body: { scannedUtc: '2026-03-14T09:26:53.000Z', patches: [{ key: 'k', product: 'p', status }] },
      })
    await scan('Missing')
    return () => scan('Installed')
  },
  'the end of an installation of an operating system': async () => {
    const one = first(await activated())
    return () => one.itself.call(reportOsInstallation, { body: { status: 'Success', message: null } })
  },
  'an enrolment that replaces an agent': async () => {
    const { agents } = await activated()
    const computer = await db
      .selectFrom('computers')
      .select(['name', 'domain', 'uuid'])
      .where('id', '=', agents[0]?.id ?? 0)
      .executeTakeFirstOrThrow()
    const params = { id: agents[0]?.id ?? 0 }
    const { code: token } = (await administrator.call(allowComputerReEnrolment, { params })).body
    const body = enrolment()
    return () =>
      withToken(undefined).call(enrolAgent, {
        body: { ...body, token, computer: { ...body.computer, ...computer, macAddress: null } },
      })
  },
  'a revocation of the credential of an agent with leased work': async () => {
    const { one } = await leased()
    return () => administrator.call(revokeAgentCredential, { params: { id: one.id } })
  },
  'the confirmation of an agent in quarantine': async () => {
    const { group } = await activated()
    const { token } = await enrolmentToken({ groupId: group.id })
    const { id, name, domain } = await given.computer()
    const body = enrolment()
    await withToken(undefined).call(enrolAgent, {
      body: { ...body, token, computer: { ...body.computer, name, domain } },
    })
    const { items } = (await administrator.call(listQuarantinedAgents)).body
    const claim = items.find(({ clientId }) => clientId === id) ?? expect.fail('No agent is in quarantine.')
    return () => administrator.call(confirmQuarantinedAgent, { params: { id: claim.id } })
  },
  'a change of a computer': async () => {
    const { id } = first(await activated())
    return () => operator.call(updateComputer, { params: { id }, body: { serialNumber: 'S1', uuid: null } })
  },
  'the deletion of a computer': async () => {
    const { params } = await reinstalled()
    return () => operator.call(deleteComputer, { params, query: { force: true } })
  },
  'an activation of a group': async () => {
    const { group } = await activated()
    return () => operator.call(activateGroup, { params: { id: group.id }, body: activation })
  },
  'an activation that cancels work': async () => {
    const { group } = await activated()
    await db.deleteFrom('group_packages').where('group_id', '=', group.id).execute()
    return () => operator.call(activateGroup, { params: { id: group.id }, body: activation })
  },
  'a deactivation of a group': async () => {
    const { group } = await activated()
    return () => operator.call(deactivateGroup, { params: { id: group.id } })
  },
  'a deactivation of a group without its other groups': async () => {
    const { above } = await activated()
    return () => operator.call(deactivateGroup, { params: { id: above.id }, query: { global: false } })
  },
  'an activation of a computer': async () => {
    const { id } = first(await activated())
    return () => operator.call(activateComputer, { params: { id }, body: activation })
  },
  'a deactivation of a computer': async () => {
    const { id } = first(await activated())
    return () => operator.call(deactivateComputer, { params: { id } })
  },
  'a request to uninstall': async () => {
    const { one, item, required } = await leased()
    await one.report(item.workId)
    return () => operator.call(uninstallSoftware, { params: { id: one.id }, body: { packageId: required.id } })
  },
  'a request to reinstall': async () => {
    const { agents, packages } = await activated()
    const packageId = packages[1]?.id ?? ''
    return () => operator.call(requestSoftwareReinstall, { params: { id: agents[1]?.id ?? 0 }, body: { packageId } })
  },
  'the cancellation of a reinstall': async () => {
    const { params, reinstallGroupId } = await reinstalled()
    return () => operator.call(cancelSoftwareReinstall, { params, query: { reinstallGroupId } })
  },
  'a request to reboot': async () => {
    const { id } = first(await activated())
    return () => operator.call(rebootComputer, { params: { id } })
  },
  'new members': async () => {
    const { agents } = await activated()
    const group = await given.group({ tree: 'AssignmentGroups' })
    const computerIds = agents.map(({ id }) => id).toReversed()
    return () => operator.call(addGroupComputers, { params: { id: group.id }, body: { computerIds } })
  },
  'the removal of members': async () => {
    const { agents, group } = await activated()
    const computerIds = agents.map(({ id }) => id).toReversed()
    return () => operator.call(removeGroupComputers, { params: { id: group.id }, query: { computerIds } })
  },
  'the removal of an assignment': async () => {
    const { group, packages } = await activated()
    const packageId = packages[1]?.id ?? ''
    return () => operator.call(removeGroupPackage, { params: { id: group.id, packageId } })
  },
  'the removal of an assignment with a pending reinstall': async () => {
    const { group, required } = await reinstalled()
    return () => operator.call(removeGroupPackage, { params: { id: group.id, packageId: required.id } })
  },
  'a move of a group': async () => {
    const { above } = await activated()
    const [root, top] = [await given.root('AssignmentGroups'), await given.group({ tree: 'AssignmentGroups' })]
    const move = (parentId: string) => operator.call(moveGroup, { params: { id: above.id }, body: { parentId } })
    await move(top.id)
    await given.assignment(top, await readyPackage(), 'package')
    await operator.call(activateGroup, { params: { id: above.id }, body: { software: true } })
    return () => move(root.id)
  },
  'the deletion of groups with a pending reinstall': async () => {
    const { group } = await reinstalled()
    return () => operator.call(deleteGroup, { params: { id: group.id }, query: { force: true } })
  },
  'the deletion of groups with an enrolment token': async () => {
    const { above } = await activated()
    const { token } = await enrolmentToken({ groupId: above.id })
    const { body } = await withToken(undefined).call(enrolAgent, { body: { ...enrolment(), token } })
    await agentWith(body).contact()
    return () => operator.call(deleteGroup, { params: { id: above.id }, query: { force: true } })
  },
}

describe('lock order', () => {
  test.each(Object.keys(changes))('%s locks rows in the documented order', async (name) => {
    const change = await changes[name]?.()

    const locks = await recordLocks(db, async () => expect((await change?.())?.status).toBeLessThan(300))

    expect(locks.length).toBeGreaterThan(0)
    expect(findInversions(locks)).toEqual([])
  })

  test('the recorder finds tables and rows that are locked in another order', async () => {
    const [low, high] = [await given.computer(), await given.computer()]
    const group = await given.group()
    await given.member(group, low)
    const lock = (id: number) => sql`select from computers where id = ${id} for key share`

    const rows = await recordLocks(db, () =>
      db.transaction().execute(async (transaction) => {
        await lock(high.id).execute(transaction)
        await lock(low.id).execute(transaction)
      }),
    )
    const tables = await recordLocks(db, () =>
      db.transaction().execute(async (transaction) => {
        await sql`delete from group_computers where group_id = ${group.id}`.execute(transaction)
        await sql`update groups set description = 'x' where id = ${group.id}`.execute(transaction)
      }),
    )

    expect(findInversions(rows)).toEqual([`computers ${low.id} is locked after computers ${high.id}`])
    expect(findInversions(tables)).toEqual([`groups ${group.id} is locked after group_computers ${low.id}/${group.id}`])
  })

  test('the decision about the lock order lists the same tables in the same order', () => {
    const page = readFileSync(join(import.meta.dirname, '../../../docs/decisions/0016-lock-order.md'), 'utf8')

    const documented = [...page.matchAll(/^\d+\. `(\w+)`/gm)].map(([, table]) => table)

    expect(documented).toEqual(lockOrder.map(({ table }) => table))
  })
})
