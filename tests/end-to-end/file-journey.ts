import type { Locator, Page } from 'playwright-core'
import { dropFiles } from '../../server/test/web/in-browser/drop-files.ts'

/** What a person does in the console from a file on the desktop to software on the computers of a group, and what it takes. */
export function beginFileJourney(page: Page) {
  const panel = page.getByRole('dialog')
  let [begunAt, clicks] = [0, 0]
  const click = async (target: Locator) => {
    clicks++
    await target.click()
  }
  const clickButton = (name: string, within: Page | Locator = page) =>
    click(within.getByRole('button', { name, exact: true }))

  return {
    /** Drops the file, and opens what is proposed for it. Dropping counts as a click. Returns the panel. */
    async drop(path: string, fileName: string): Promise<Locator> {
      await page.goto('/packages')
      const heading = page.getByRole('heading', { level: 1 })
      await page.locator('input[type=file]').waitFor({ state: 'attached' })
      begunAt = performance.now()
      clicks = 1
      await dropFiles(heading, path)
      await clickButton(`Review and import ${fileName}`)
      await panel.getByLabel('Version', { exact: true }).waitFor()
      return panel
    },
    /** Creates the package that is proposed, and releases it. */
    async release(): Promise<void> {
      await clickButton('Create package', panel)
      await click(page.getByRole('link', { name: 'Open package' }))
      await clickButton('Release')
      await clickButton('Release', panel)
      await page.getByRole('button', { name: 'Withdraw', exact: true }).first().waitFor()
    },
    /** Assigns the package to the group, on whose page it is deployed. */
    async deploy(group: string): Promise<void> {
      await clickButton('Assign to group…')
      await click(panel.getByRole('combobox', { name: 'Group' }))
      await click(page.getByRole('option', { name: new RegExp(`/${group}$`) }))
      await clickButton('Assign', panel)
      await page.getByRole('heading', { name: group, level: 1 }).waitFor()
      await click(panel.getByRole('radio', { name: /^At once/ }))
      await clickButton('Deploy', panel)
    },
    /** Prints what it took since the file was dropped. */
    report(file: string): void {
      const seconds = ((performance.now() - begunAt) / 1_000).toFixed(1)
      console.info(`From ${file} on the desktop to the first computer: ${clicks} clicks and ${seconds} s`)
    },
  }
}
