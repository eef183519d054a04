import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { enrolAgent } from '../../../src/channels/agent/enrol-agent.ts'
import { createEnrolmentToken } from '../../../src/features/enrolment/api/create-enrolment-token.ts'
import { listEnrolmentTokens } from '../../../src/features/enrolment/api/list-enrolment-tokens.ts'
import { revokeAgentCredential } from '../../../src/features/enrolment/api/revoke-agent-credential.ts'
import { enrolment } from '../../channels/agent/agent-world.ts'
import { eventually, inBrowser, screenshot } from './open-browser.ts'
import { openPages } from './open-pages.ts'
import { violations } from './violations.ts'

const { address, as, db, given, visit, withToken } = await openPages()

const group = await given.group({ name: 'Tills' })

inBrowser('an enrolment token is created for a group, shown once, and revoked', async () => {
  const { page, goTo } = await visit()
  await goTo('/admin/enrolment-tokens')
  await page.getByText('No enrolment tokens yet').waitFor()
  const body = { description: 'Older', expiresAtUtc: '2099-01-01T00:00:00Z' }
  await as('admin.manage').call(createEnrolmentToken, { body })

  await page.getByRole('button', { name: 'Create token' }).click()
  const form = page.getByRole('dialog', { name: 'Create token' })
  await form.getByLabel('Description').fill('Northern branches')
  await form.getByLabel('Group').fill('till')
  await page.getByRole('option', { name: /Tills/ }).click()
  await form.getByLabel('Maximum number of computers').fill('250')
  await screenshot(page, 'new-enrolment-token')
  expect(await violations(page)).toEqual([])
  await form.getByRole('button', { name: 'Create' }).click()
  const shown = page.getByRole('dialog', { name: 'Store this token now' })
  const token = await shown.getByLabel('Enrolment token', { exact: true }).inputValue()
  expect(token).toMatch(/^enrol-.{40,}$/)
  await shown.getByText(`MUSTER_AGENT_TOKEN=${token} muster-agent enrol --server ${address}`).waitFor()
  await shown.getByLabel('Platform and agent').selectOption('Windows: GLPI agent')
  await shown.getByText(`GLPI-Agent /v server /d ${address}/agent/fusion/${token} /f`).waitFor()
  await screenshot(page, 'enrolment-token-shown')
  await shown.getByLabel('I have stored the token').check()
  await shown.getByRole('button', { name: 'Continue' }).click()
  await eventually(() => page.getByRole('row').nth(1).textContent()).toMatch(/Northern branches.*Active.*0 of 250/)
  await page
    .getByRole('row', { name: /Northern branches/ })
    .getByRole('link', { name: group.path })
    .waitFor()
  await page.getByRole('button', { name: 'Revoke: Northern branches' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()

  await page.getByRole('row', { name: /Northern branches.*Revoked/ }).waitFor()
  await page.getByRole('alert').getByRole('button', { name: 'Close' }).click()
  const listed = await as('admin.manage').call(listEnrolmentTokens, { query: { descending: true, top: 1 } })
  expect(listed.body.items).toMatchObject([{ description: 'Northern branches', groupId: group.id, maxUses: 250 }])
})

inBrowser('an invalid expiry of an enrolment token is reported at its field, and the input is kept', async () => {
  const { page, goTo } = await visit()
  await goTo('/admin/enrolment-tokens')
  await page.getByRole('button', { name: 'Create token' }).click()
  const form = page.getByRole('dialog', { name: 'Create token' })
  await form.getByLabel('Description').fill('Too late')

  await form.getByLabel('Expires').fill('2020-01-01T00:00')
  await form.getByRole('button', { name: 'Create' }).click()

  await form.getByText('must be in the future', { exact: true }).waitFor()
  expect(await form.getByLabel('Description').inputValue()).toBe('Too late')
})

inBrowser('a user without the role group.write creates tokens without a group', async () => {
  const { page, goTo } = await visit({ roles: ['admin.manage'] })
  await goTo('/admin/enrolment-tokens')
  await page.getByRole('button', { name: 'Create token' }).click()
  const form = page.getByRole('dialog', { name: 'Create token' })

  await form.getByText('Choosing a group requires the role group.write.').waitFor()
  expect(await form.getByLabel('Group').isDisabled()).toBe(true)

  await goTo('/admin/about')
  await page.getByText('requires the role computer.read').waitFor()
})

inBrowser('an administrator designates the package of the agent, and sees that nobody has signed it', async () => {
  const { id } = await given.package({
    name: 'Muster agent',
    package_name: 'muster-agent',
    version: '9.9',
    is_operational: true,
    hash_state: 'Current',
    content_hash: Buffer.alloc(32, 1),
    folder: 'agent-9.9',
  })
  await db
    .insertInto('package_files')
    .values({ package_id: id, path: 'muster-agent-linux-x64.tar.gz', size: 1, sha256: Buffer.alloc(32, 2) })
    .execute()
  const { page, goTo } = await visit()
  await goTo('/admin/enrolment-tokens')

  await page.getByRole('button', { name: 'Designate: Linux' }).click()
  const dialog = page.getByRole('dialog', { name: 'Designate the agent for Linux' })
  expect(await dialog.getByLabel('Package').first().inputValue()).toBe('Muster agent 9.9 – Not signed')
  await dialog.getByRole('button', { name: 'Designate' }).click()
  await page.getByRole('row', { name: /Linux.*Muster agent 9\.9.*Not signed.*Installed on new computers/ }).waitFor()
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Withdraw: Linux' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click()

  await page.getByRole('row', { name: /Linux.*None/ }).waitFor()
})

inBrowser('an agent with the UUID of two computers is confirmed for the one that a person chooses', async () => {
  const uuid = randomUUID()
  const [first, second] = [await given.computer({ uuid }), await given.computer({ uuid })]
  const { token } = (
    await as('admin.manage').call(createEnrolmentToken, { body: { expiresAtUtc: '2099-01-01T00:00:00Z' } })
  ).body
  const own = enrolment()
  const body = { ...own, token, computer: { ...own.computer, uuid } }
  await withToken(undefined).call(enrolAgent, { body })
  const { page, goTo } = await visit()
  await goTo('/admin/enrolment-tokens')

  const duplicates = page.getByRole('table', { name: 'Computers with the same UUID' })
  await duplicates.getByRole('row', { name: new RegExp(`${uuid}.*${second.name}`) }).waitFor()
  await page.getByRole('row', { name: /one of 2 computers/ }).waitFor()
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: `Confirm: ${own.computer.name}` }).click()
  const dialog = page.getByRole('dialog')
  expect(await dialog.getByRole('button', { name: 'Confirm' }).isDisabled()).toBe(true)
  await dialog.getByLabel('Computer on which the agent runs').click()
  await page.getByRole('option', { name: new RegExp(second.name) }).click()
  await dialog.getByRole('button', { name: 'Confirm' }).click()

  await page.getByText('No agents in quarantine').waitFor()
  const revoke = ({ id }: { id: number }) => as('admin.manage').call(revokeAgentCredential, { params: { id } })
  expect([(await revoke(first)).status, (await revoke(second)).status]).toEqual([404, 204])
})

inBrowser('agents in quarantine are shown with what they reported, and are confirmed or rejected', async () => {
  const domain = `${randomUUID()}.example.org`
  const { token } = (
    await as('admin.manage').call(createEnrolmentToken, { body: { expiresAtUtc: '2099-01-01T00:00:00Z' } })
  ).body
  const claimed = [await given.computer({ name: 'till-1', domain }), await given.computer({ name: 'till-2', domain })]
  for (const { name, domain } of claimed) {
    const own = enrolment()
    const body = { ...own, token, computer: { ...own.computer, name, domain } }
    await withToken(undefined).call(enrolAgent, { body })
  }
  const { page, goTo } = await visit()
  await goTo('/admin/enrolment-tokens')

  await page.getByRole('row', { name: /till-1.*Name and domain.*Muster 0.1.0/ }).waitFor()
  await screenshot(page, 'quarantined-agents')
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Confirm: till-1' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click()
  await page.getByRole('button', { name: 'Reject: till-2' }).click()
  await page
    .getByRole('dialog', { name: /Reject/ })
    .getByRole('button', { name: 'Reject' })
    .click()

  await page.getByText('No agents in quarantine').waitFor()
  const confirmed = await as('admin.manage').call(revokeAgentCredential, { params: { id: claimed[0]?.id ?? 0 } })
  const rejected = await as('admin.manage').call(revokeAgentCredential, { params: { id: claimed[1]?.id ?? 0 } })
  expect([confirmed.status, rejected.status]).toEqual([204, 404])
})
