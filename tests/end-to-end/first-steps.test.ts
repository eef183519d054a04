import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { temporaryFolder, until } from '../../server/test/database/embedded-postgres/muster.ts'
import { freePort } from '../../server/test/web/in-browser/free-port.ts'
import { inBrowser, openBrowser, screenshot } from '../../server/test/web/in-browser/open-browser.ts'
import { sendToGroup, spawnService, untilListening } from '../../server/test/world/service-process.ts'
import { runShown } from './shown-commands.ts'

const maxSeconds = 180
const port = await freePort()
const { newContext, openTab } = openBrowser(`http://127.0.0.1:${port}`)

inBrowser(
  'from `npm start` to an installed package, the first steps of the console take less than three minutes',
  async () => {
    const begunAt = performance.now()
    const { dataDirectory, link } = await startWithNpm()
    const { page } = await openTab(await newContext({}))
    await page.goto(link)
    await grantRoles(page)

    await page.getByRole('button', { name: 'Create command' }).click()
    const enrol = await shownCommand(page, 'Enrol the computer')
    await screenshot(page, 'first-steps-command')
    await page.reload()
    expect(await shownCommand(page, 'Enrol the computer')).toBe(enrol)
    await runShown(enrol).succeeded()
    const agent = runShown(await shownCommand(page, 'Start the agent'))

    // Muster knows its own machine, so a person has to confirm that the agent runs there.
    await page.getByText('1 agent waits for confirmation').waitFor()
    await screenshot(page, 'first-steps-waiting')
    await page.getByRole('button', { name: /^Confirm: / }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click()
    const confirmedAt = performance.now()
    await isDone(page, 'Add a computer')
    const secondsToContact = (performance.now() - confirmedAt) / 1_000

    await runShown(await shownCommand(page, 'Copy the example package')).succeeded()
    await importExample(page)
    await deployToGroup(page)
    const greeting = join(dataDirectory, 'example/greeting/version')
    await until(() => readFile(greeting, 'utf8').catch(() => undefined), 60_000, 100)
    const seconds = (performance.now() - begunAt) / 1_000

    await page.getByRole('link', { name: 'Overview' }).click()
    await isDone(page, 'Deploy it and watch it succeed')
    await screenshot(page, 'first-steps-deployed')
    console.info(
      `First steps: ${seconds.toFixed(1)} s, ${secondsToContact.toFixed(1)} s of them after the confirmation`,
    )
    expect(await readFile(greeting, 'utf8')).toBe('1.2.0\n')
    expect(seconds).toBeLessThan(maxSeconds)
    expect(secondsToContact).toBeLessThan(20)
    await agent.interrupt()
  },
)

/** The first start of a clone, in a data folder of its own, as a person starts it. Returns the link that it prints. */
async function startWithNpm() {
  const dataDirectory = join(await temporaryFolder(), 'data')
  const service = await spawnService({
    dataDirectory,
    command: ['npm', 'start'],
    // As without these settings: the first start then creates the secret, and prints the link.
    env: { MUSTER_PORT: String(port), MUSTER_BOOTSTRAP_CLIENT_ID: '', MUSTER_BOOTSTRAP_CLIENT_SECRET: '' },
  })
  onTestFinished(async () => {
    sendToGroup(service.process, 'SIGTERM')
    await service.exited
  })
  await untilListening(service)
  const link = await until(() => /^ {2}(http\S+#link=\S+)$/m.exec(service.output())?.[1])
  return { dataDirectory, link }
}

async function grantRoles(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Review the roles' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Grant me these roles' }).click()
}

const shownCommand = async (page: Page, label: string) =>
  (await page.getByRole('group', { name: label, exact: true }).textContent()) ?? ''

const isDone = (page: Page, step: string) =>
  page
    .getByRole('listitem')
    .filter({ hasText: `${step} (done)` })
    .waitFor()

async function importExample(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Import a package' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Import', exact: true }).click()
  await page.getByRole('link', { name: 'Open package' }).click()
  await page.getByRole('button', { name: 'Release', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Release', exact: true }).click()
  await page.getByRole('button', { name: 'Withdraw', exact: true }).first().waitFor()
}

/** Creates a group with the package and the computer, and deploys it. */
async function deployToGroup(page: Page): Promise<void> {
  const panel = page.getByRole('dialog')
  await page.getByRole('link', { name: 'Groups', exact: true }).click()
  await page.getByRole('treeitem', { name: /Assignment/ }).click()
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'New subgroup' }).click()
  await panel.getByLabel('Name').fill('First computers')
  await panel.getByRole('button', { name: 'New subgroup' }).click()
  await page.getByRole('heading', { name: 'First computers', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Add computers' }).click()
  await panel.getByRole('combobox', { name: 'Computers' }).click()
  await page.getByRole('option').first().click()
  await panel.getByRole('button', { name: 'Add computers' }).click()
  await page.getByRole('button', { name: 'Assign package' }).click()
  await panel.getByRole('combobox', { name: 'Package' }).click()
  await page.getByRole('option', { name: /Greeting/ }).click()
  await panel.getByRole('button', { name: 'Assign package' }).click()
  await page.getByRole('button', { name: 'Deploy', exact: true }).click()
  await panel.getByRole('button', { name: 'Deploy', exact: true }).click()
}
