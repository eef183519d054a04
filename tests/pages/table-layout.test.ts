import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { refreshFleetStatistics } from '../../server/src/features/issues/fleet-statistics.ts'
import { eventually, inBrowser, screenshot } from '../../server/test/web/in-browser/open-browser.ts'
import { openPages } from '../../server/test/web/in-browser/open-pages.ts'
import { lowContrasts, violations } from '../../server/test/web/in-browser/violations.ts'

const { db, visit } = await openPages()
await sql`
  insert into computers (name, domain, is_domain, uuid, model, os_name)
  select 'desk-' || lpad(n::text, 5, '0'), 'corp.example.org', true, gen_random_uuid(), 'Desk 500', 'Windows 11'
  from generate_series(1, 300) n`.execute(db)
await refreshFleetStatistics(db)

/** A usual window of a person who looks at computers all day. */
const window = { isAlone: true, viewport: { width: 1440, height: 900 } } as const

const column = (page: Page, name: string) => page.getByRole('columnheader', { name, exact: true })
const border = (page: Page, name: string) => page.getByRole('separator', { name: `Width of ${name}`, exact: true })
const widthOf = async (page: Page, name: string) => Math.round((await column(page, name).boundingBox())?.width ?? 0)

async function choose(page: Page, act: (menu: ReturnType<Page['getByRole']>) => Promise<unknown>) {
  await page.getByRole('button', { name: 'Columns', exact: true }).click()
  await act(page.getByRole('dialog', { name: 'Columns' }))
  await page.keyboard.press('Escape')
}

/** The rows of which nothing is cut off, neither by the table nor by the window. */
const countWholeRows = (page: Page) =>
  page.evaluate<number>(`(() => {
    const head = document.querySelector('thead').getBoundingClientRect()
    const list = document.querySelector('[role=grid]').parentElement.getBoundingClientRect()
    const isWhole = ({ top, bottom }) => top >= head.bottom - 1 && bottom <= Math.min(list.bottom, innerHeight)
    return [...document.querySelectorAll('tr[data-index]')].filter((row) => isWhole(row.getBoundingClientRect())).length
  })()`)

async function openComputers() {
  const visited = await visit(window)
  await visited.goTo('/computers')
  await visited.page.getByRole('row', { name: /desk-00001/ }).waitFor()
  return visited
}

inBrowser('compact rows show 25 computers in a window of 900 pixels, and are remembered', async () => {
  const { page } = await openComputers()
  expect(await countWholeRows(page)).toBeLessThan(20)

  await choose(page, (menu) => menu.getByText('Compact', { exact: true }).click())

  await eventually(() => countWholeRows(page)).toBeGreaterThanOrEqual(25)
  await screenshot(page, 'computers-compact')
  expect([...(await violations(page)), ...(await lowContrasts(page))]).toEqual([])
  await page.reload()
  await eventually(() => countWholeRows(page)).toBeGreaterThanOrEqual(25)
})

inBrowser('a column is resized with the keyboard and the mouse, fitted to its content, and reset', async () => {
  const { page } = await openComputers()
  const model = border(page, 'Operating system')
  const before = await widthOf(page, 'Operating system')

  await model.focus()
  await eventually(() => model.getAttribute('aria-valuenow')).toBe(String(before))
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  expect(await widthOf(page, 'Operating system')).toBe(before + 20)
  expect(await model.getAttribute('aria-valuenow')).toBe(String(before + 20))
  await page.keyboard.press('Home')
  expect(await widthOf(page, 'Operating system')).toBe(48)

  await model.dblclick()
  const fitting = await widthOf(page, 'Operating system')
  expect(fitting).toBeGreaterThan(60)
  expect(fitting).toBeLessThan(before)

  const box = await model.boundingBox()
  if (!box) throw new Error('The border of the column is not in sight.')
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width / 2 + 60, box.y + box.height / 2, { steps: 4 })
  await page.mouse.up()
  expect(await widthOf(page, 'Operating system')).toBe(fitting + 60)

  await page.reload()
  await eventually(() => widthOf(page, 'Operating system')).toBe(fitting + 60)
  await choose(page, (menu) => menu.getByRole('button', { name: 'Standard columns' }).click())
  await eventually(() => widthOf(page, 'Operating system')).toBe(before)
})

inBrowser('a pinned column stays in sight beside the name while the others are scrolled', async () => {
  const { page } = await openComputers()
  const list = page.getByRole('grid').locator('..')
  const leftOf = async (name: string) => Math.round((await column(page, name).boundingBox())?.x ?? 0)

  await choose(page, async (menu) => {
    await menu.getByRole('checkbox', { name: 'Model' }).check()
    await menu.getByRole('button', { name: 'Pin Model' }).click()
    expect(await menu.getByRole('button', { name: 'Pin Model' }).getAttribute('aria-pressed')).toBe('true')
  })
  const before = await leftOf('Model')
  const other = await leftOf('Groups')
  await list.evaluate((element) => element.scrollTo(200, 0))

  await eventually(() => leftOf('Groups')).toBe(other - 200)
  expect(await leftOf('Model')).toBe(before)
  expect(before).toBeLessThan((await leftOf('Operating system')) + 200)
  const cell = page.getByRole('row', { name: /desk-00001/ }).getByRole('gridcell', { name: 'Desk 500' })
  expect(Math.round((await cell.boundingBox())?.x ?? 0)).toBe(before)
  await screenshot(page, 'computers-pinned')
  expect([...(await violations(page)), ...(await lowContrasts(page))]).toEqual([])
})
