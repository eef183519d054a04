import { expect } from 'vitest'
import { listEnrolmentTokens } from '../../../src/features/enrolment/api/list-enrolment-tokens.ts'
import { inBrowser, screenshot } from './open-browser.ts'
import { openPages } from './open-pages.ts'
import { violations } from './violations.ts'

const { as, given, visit } = await openPages()

const group = await given.group({ name: 'Tills' })

inBrowser('an enrolment token is created for a group, shown once, and revoked', async () => {
  const { page, goTo } = await visit()
  await goTo('/enrolment-tokens')
  await page.getByText('No enrolment tokens yet').waitFor()

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
  expect(await shown.getByLabel('Enrolment token', { exact: true }).inputValue()).toMatch(/^enrol-.{40,}$/)
  await shown.getByLabel('I have stored the token').check()
  await shown.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('row', { name: /Northern branches.*Active.*0 of 250/ }).waitFor()
  await page.getByRole('button', { name: 'Revoke: Northern branches' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()

  await page.getByRole('row', { name: /Northern branches.*Revoked/ }).waitFor()
  const { body } = await as('computer.write').call(listEnrolmentTokens)
  expect(body.items).toMatchObject([{ description: 'Northern branches', groupId: group.id, maxUses: 250 }])
})

inBrowser('an invalid expiry of an enrolment token is reported at its field, and the input is kept', async () => {
  const { page, goTo } = await visit()
  await goTo('/enrolment-tokens')
  await page.getByRole('button', { name: 'Create token' }).click()
  const form = page.getByRole('dialog', { name: 'Create token' })
  await form.getByLabel('Description').fill('Too late')

  await form.getByLabel('Expires').fill('2020-01-01T00:00')
  await form.getByRole('button', { name: 'Create' }).click()

  await form.getByText('must be in the future', { exact: true }).waitFor()
  expect(await form.getByLabel('Description').inputValue()).toBe('Too late')
})

inBrowser('a user without the role for enrolment tokens sees which role is missing and how to get it', async () => {
  const { page, me, goTo } = await visit({ roles: ['admin.manage'] })
  await goTo('/enrolment-tokens')

  await page.getByText('This page requires the role computer.write').waitFor()
  await page.getByRole('link', { name: 'Open my principal' }).click()

  await page.getByText('This is you').waitFor()
  expect(page.url()).toMatch(new RegExp(`/principals/local/${me.id}$`))
  await goTo('/about')
  await page.getByText('requires the role computer.read').waitFor()
})
