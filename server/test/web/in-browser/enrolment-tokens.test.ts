import { expect } from 'vitest'
import { createEnrolmentToken } from '../../../src/features/enrolment/api/create-enrolment-token.ts'
import { listEnrolmentTokens } from '../../../src/features/enrolment/api/list-enrolment-tokens.ts'
import { eventually, inBrowser, screenshot } from './open-browser.ts'
import { openPages } from './open-pages.ts'
import { violations } from './violations.ts'

const { address, as, given, visit } = await openPages()

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
