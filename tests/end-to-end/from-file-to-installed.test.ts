import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { roleNames } from '../../server/src/platform/roles.ts'
import { freePort } from '../../server/test/web/in-browser/free-port.ts'
import { inBrowser, openBrowser, screenshot } from '../../server/test/web/in-browser/open-browser.ts'
import { violations } from '../../server/test/web/in-browser/violations.ts'
import { aptLabel, missingTools, openInstallation, openRepository } from '../../server/test/world/private-apt.ts'
import { type Muster, startMuster } from '../../server/test/world/start-muster.ts'
import { enrolAgent } from './agents.ts'
import { deploymentOf, waitFor } from './deployments.ts'
import { beginFileJourney } from './file-journey.ts'

const port = await freePort()
const { newContext, openTab } = openBrowser(`http://127.0.0.1:${port}`)

// tests/windows-agent does the same with an MSI file and the agent for Windows.
describe.runIf(missingTools.length === 0)(`installers ${aptLabel}`, () => {
  inBrowser('a deb file that is dropped on the console is installed by a real agent', async () => {
    const muster = await startMuster({ env: { MUSTER_PORT: String(port) } })
    const repository = await openRepository()
    const deb = await repository.build({ name: 'three-clicks', version: '1.0-1' })
    const { computer, installation } = await computerWithAgent(muster, repository)
    const page = await signIn(muster)
    const journey = beginFileJourney(page)

    const proposal = await journey.drop(deb, 'three-clicks_1.0-1_all.deb')
    expect(await proposal.getByLabel('Version', { exact: true }).inputValue()).toBe('1.0-1')
    expect(await violations(page)).toEqual([])
    await screenshot(page, 'proposal-deb')
    await journey.release()
    await journey.deploy('Desks')
    const { items } = await muster.get<{ items: { id: string }[] }>('/api/fleet/packages?search=three-clicks')
    const packageId = items[0]?.id ?? ''
    const expected = { status: 'Success', installationState: 'Installed' }
    await waitFor(() => deploymentOf(muster, computer, packageId), expected)

    journey.report('a deb file')
    expect(installation.installed()).toEqual({ 'three-clicks': '1.0-1' })
  })
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
