import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { openSampleFolder } from '../../packages/installers/test/samples/folder.ts'
import { makeMsi } from '../../packages/installers/test/samples/msi.ts'
import { roleNames } from '../../server/src/platform/roles.ts'
import { freePort } from '../../server/test/web/in-browser/free-port.ts'
import { inBrowser, openBrowser, screenshot } from '../../server/test/web/in-browser/open-browser.ts'
import { violations } from '../../server/test/web/in-browser/violations.ts'
import { aptLabel, missingTools, openInstallation, openRepository } from '../../server/test/world/private-apt.ts'
import { type Muster, startMuster } from '../../server/test/world/start-muster.ts'
import { enrolAgent } from './agents.ts'
import { deploymentOf, waitFor } from './deployments.ts'

const port = await freePort()
const { newContext, openTab } = openBrowser(`http://127.0.0.1:${port}`)
const samples = await openSampleFolder()

describe.runIf(missingTools.length === 0)(`installers ${aptLabel}`, () => {
  inBrowser(
    'a deb file that is dropped on the console is installed by a real agent, and an MSI file becomes a package',
    async () => {
      const muster = await startMuster({ env: { MUSTER_PORT: String(port) } })
      const repository = await openRepository()
      const deb = await repository.build({ name: 'three-clicks', version: '1.0-1' })
      const msi = await makeMsi(samples, {
        name: 'Sample Viewer',
        version: '4.5.6',
        architecture: 'x64',
        scope: 'perMachine',
      })
      const { computer, installation } = await computerWithAgent(muster, repository)
      const page = await signIn(muster)
      const { clicks, click } = countClicks()
      await page.goto('/packages')

      const begunAt = performance.now()
      const seconds = () => ((performance.now() - begunAt) / 1_000).toFixed(1)
      await dropFile(page, deb)
      await click(page.getByRole('button', { name: 'Review and import three-clicks_1.0-1_all.deb' }))
      const panel = page.getByRole('dialog')
      expect(await panel.getByLabel('Version', { exact: true }).inputValue()).toBe('1.0-1')
      expect(await violations(page)).toEqual([])
      await screenshot(page, 'proposal-deb')
      await click(panel.getByRole('button', { name: 'Create package' }))
      await page.getByRole('link', { name: 'Open package' }).waitFor()
      const created = `${clicks()} clicks and ${seconds()} s to the package`
      await release(page, click)
      await deploy(page, click)
      const [{ id: packageId }] = await packagesNamed(muster, 'three-clicks')
      await waitFor(() => deploymentOf(muster, computer, packageId), {
        status: 'Success',
        installationState: 'Installed',
      })

      console.info(
        `From a file to installed software: ${created}, ${clicks()} clicks and ${seconds()} s to the computer`,
      )
      expect(installation.installed()).toEqual({ 'three-clicks': '1.0-1' })

      await page.goto('/packages')
      await dropFile(page, msi)
      await page.getByRole('button', { name: 'Review and import sample.msi' }).click()
      await screenshot(page, 'proposal-msi')
      await panel.getByRole('button', { name: 'Create package' }).click()
      await page.getByRole('link', { name: 'Open package' }).waitFor()
      expect(await packagesNamed(muster, 'sample-viewer')).toMatchObject([{ version: '4.5.6' }])
    },
  )
})

/** A computer whose apt and dpkg have a root of their own, with an agent that runs. */
async function computerWithAgent(muster: Muster, repository: Awaited<ReturnType<typeof openRepository>>) {
  const installation = await openInstallation(repository, [])
  const groupId = await muster.group('Desks')
  const agent = await enrolAgent({
    server: muster.service.address,
    token: await muster.enrolmentToken(groupId),
    name: 'desk-1',
    // dpkg-query, by which the agent finds packages, does not read the settings of apt.
    env: { ...installation.environment, DPKG_ADMINDIR: installation.database },
  })
  agent.run()
  return { computer: agent.clientId, installation }
}

async function signIn(muster: Muster): Promise<Page> {
  const principal = { description: 'administrator at a desk', roles: roleNames, expiresAtUtc: null }
  const { clientId, plaintextKey } = await muster.post('/api/admin/local-principals', principal)
  const context = await newContext({})
  await context.request.post('/admin/session', { data: { clientId, clientSecret: plaintextKey } })
  return (await openTab(context)).page
}

type Click = (target: Locator) => Promise<void>

/** Counts what a person would do with the mouse. Dropping the file is the first. */
function countClicks() {
  let count = 1
  const click: Click = async (target) => {
    count++
    await target.click()
  }
  return { clicks: () => count, click }
}

/** Drops a file of this machine on the zone, in the page. */
async function dropFile(page: Page, path: string): Promise<void> {
  const content = (await readFile(path)).toString('base64')
  await page.locator('input[type=file]').waitFor({ state: 'attached' })
  await page.evaluate(`{
    const bytes = Uint8Array.from(atob(${JSON.stringify(content)}), (letter) => letter.charCodeAt(0))
    const transfer = new DataTransfer()
    transfer.items.add(new File([bytes], ${JSON.stringify(basename(path))}))
    const zone = document.querySelector('input[type=file]').parentElement
    zone.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }))
  }`)
}

async function release(page: Page, click: Click): Promise<void> {
  await click(page.getByRole('link', { name: 'Open package' }))
  await click(page.getByRole('button', { name: 'Release', exact: true }))
  await click(page.getByRole('dialog').getByRole('button', { name: 'Release', exact: true }))
  await page.getByRole('button', { name: 'Withdraw', exact: true }).first().waitFor()
}

/** Assigns the package to the group of the computer, on whose page it is deployed. */
async function deploy(page: Page, click: Click): Promise<void> {
  const panel = page.getByRole('dialog')
  await click(page.getByRole('button', { name: 'Deploy', exact: true }))
  await click(panel.getByRole('combobox', { name: 'Group' }))
  await click(page.getByRole('option', { name: /^Desks/ }))
  await click(panel.getByRole('button', { name: 'Assign and continue', exact: true }))
  await page.getByRole('heading', { name: 'Desks', level: 1 }).waitFor()
  await click(page.getByRole('button', { name: 'Deploy', exact: true }))
  await click(panel.getByRole('button', { name: 'Deploy', exact: true }))
}

type FoundPackage = { id: string; version: string }

async function packagesNamed(muster: Muster, name: string) {
  const { items } = await muster.get<{ items: FoundPackage[] }>(`/api/fleet/packages?search=${name}`)
  return items as [FoundPackage, ...FoundPackage[]]
}
