import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { sequenceAll } from '../../server/test/events/read-log.ts'
import { openRolloutWorld } from '../../server/test/rollouts/rollout-world.ts'
import { eventually, inBrowser, screenshot } from '../../server/test/web/in-browser/open-browser.ts'
import { servePages } from '../../server/test/web/in-browser/open-pages.ts'

const world = await openRolloutWorld({ signInRateLimit: 0 })
const { visit } = await servePages(world)
const { computers, create, db, fail, fleet, read } = world

/** What the periodic task does, after which the open pages follow at once. */
async function tick(id: string) {
  await world.tick(id)
  await sequenceAll(db)
}

async function doWork(agents: Parameters<typeof world.doWork>[0]) {
  await world.doWork(agents)
  await sequenceAll(db)
}

const output = 'Unpacking viewer …\nE: no space left on device /var/cache/viewer'

/** A rollout with two rings; in the first one, one computer has failed for good and one has succeeded. */
async function halfFailed(name: string) {
  const { group, agents } = await fleet(5)
  const { body } = await create(group, {
    name,
    rings: [{ name: 'Pilot', count: 2 }, { name: 'Everyone' }],
    criteria: { maxFailurePercent: null, sharedCauseComputers: null },
  })
  const id = body.rolloutId
  await tick(id)
  const pilots = (await computers(id, { ring: 1 })).map(({ computerId }) => computerId)
  const [bad, good] = agents.filter((agent) => pilots.includes(agent.id))
  if (!bad || !good) throw new Error('The pilot ring has two computers.')
  await fail([bad], () => ({ output, exitCode: 28 }))
  await doWork([good])
  await tick(id)
  return { id, group, agents, bad, good }
}

const figure = (page: Page, label: string) =>
  page
    .locator('dl > div', { has: page.getByText(label, { exact: true }) })
    .locator('dd')
    .first()

/** Confirms what the review panel shows. */
const confirm = (page: Page, label: string) => page.getByRole('dialog').getByRole('button', { name: label }).click()

inBrowser('a rollout is paused, resumed, retried, advanced and cancelled, and its page follows by itself', async () => {
  const { id, agents, bad } = await halfFailed('Viewer 24.2')
  const { page, goTo } = await visit()
  const requests: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/api/') && !request.url().includes('/events/')) requests.push(request.url())
  })
  await goTo(`/rollouts/${id}`)

  await page.getByRole('heading', { name: 'Viewer 24.2' }).waitFor()
  await page.getByText('E: no space left on device /var/cache/viewer').waitFor()
  const shown = await read(id)
  for (const [label, value] of [
    ['Computers', shown.computerCount],
    ['Released', shown.releasedCount],
    ['Succeeded', shown.succeededCount],
    ['Failed', shown.failedCount],
  ] as const)
    expect(await figure(page, label).textContent()).toBe(String(value))
  await page.getByText('Ring 1 waits for results: 1 of 2 computers succeeded, 1 failed.').waitFor()
  expect(requests.length).toBeLessThanOrEqual(6)
  await screenshot(page, 'rollout')

  await page.getByRole('button', { name: 'Pause', exact: true }).click()
  await page.getByLabel('Reason').fill('The vendor reports a problem')
  await confirm(page, 'Pause')
  await page.getByText('paused it: The vendor reports a problem').waitFor()
  expect((await read(id)).state).toBe('Paused')
  await page.getByRole('button', { name: 'Resume' }).click()
  await confirm(page, 'Resume')
  await page.getByRole('status').getByText('Running').waitFor()
  expect((await read(id)).state).toBe('Running')

  await page.getByRole('button', { name: 'Retry failed' }).click()
  await page.getByText('Creates the failed work of 1 computer again').waitFor()
  await confirm(page, 'Retry failed')
  await eventually(async () => (await computers(id)).find((one) => one.computerId === bad.id)?.state).toBe(
    'RetryRequested',
  )
  await tick(id)
  await doWork([bad])
  await tick(id)
  await eventually(() => figure(page, 'Succeeded').textContent()).toBe('2')

  await tick(id)
  await doWork(agents.slice(0, 1))
  await page.getByRole('button', { name: 'Cancel rollout' }).click()
  await page.getByText('This cannot be undone.').waitFor()
  await confirm(page, 'Cancel rollout')
  await page.getByRole('status').getByText('Cancelled', { exact: true }).waitFor()
  expect((await read(id)).state).toBe('Cancelled')
  expect(await page.getByRole('button', { name: 'Pause', exact: true }).count()).toBe(0)
})
